# SPDX-License-Identifier: MIT
"""Builds coworker with Conan 2. `conan create . --build=missing`"""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

# An option of the package, what it needs, and the option of CMake.
PARTS = {
    "gateway": (None, "COWORKER_BUILD_GATEWAY"),
    "programs": ("cli11/[>=2.1]", "COWORKER_BUILD_PROGRAMS"),
    "zstd": ("zstd/[>=1.5]", "COWORKER_BUILD_ZSTD"),
    "sodium": ("libsodium/[>=1.0]", "COWORKER_BUILD_SODIUM"),
    "postgresql": ("libpq/[>=15]", "COWORKER_BUILD_POSTGRESQL"),
    "mysql": ("mariadb-connector-c/[>=3.1]", "COWORKER_BUILD_MYSQL"),
}


class Coworker(ConanFile):
    name = "coworker"
    description = "Reliable background jobs on Redis for Boost.Asio"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], **{part: [True, False] for part in PARTS}}
    default_options = {"shared": False, "gateway": True, **{part: False for part in PARTS if part != "gateway"}}
    exports_sources = "CMakeLists.txt", "LICENSE", "cmake/*", "docs/*", "include/*", "packaging/*", "scripts/*", "src/*"

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "include/coworker/version.hpp"))
        self.version = re.search(r'COWORKER_VERSION_STRING "([^"]+)"', header)[1]

    def requirements(self):
        # What a program compiles and links: coworker's headers include Boost's, and contain its code.
        self.requires("boost/[>=1.92]", transitive_headers=True, options={"header_only": True})
        self.requires("openssl/[>=3]", transitive_headers=True)
        for part, (needed, _) in PARTS.items():
            if needed and self.options.get_safe(part):
                self.requires(needed)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for part, (_, option) in PARTS.items():
            toolchain.cache_variables[option] = "ON" if self.options.get_safe(part) else "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        # CMake finds the package that coworker installs itself, with all its targets.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/coworker"]
