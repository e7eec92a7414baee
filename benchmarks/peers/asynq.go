// SPDX-License-Identifier: MIT

// A stand-in for Go's net/http with the client of asynq, which Debian does not package: an HTTP server that queues the
// job of each POST. Redis gets the commands that asynq sends, with messages of the same fields and about the same size,
// over as many connections as go-redis has. What asynq and go-redis do beside that in Go (options, contexts, answers
// about the task) is left out, so asynq itself should cost rather more; that is not measured.
//
//	asynq HOST:PORT    of Redis; says "ready", and the port that it listens on
package main

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
)

const queue = "default"

// Keeps a task and lists it, unless there is one with its id.
var enqueueScript = redis.NewScript(2, `
local task, pending = KEYS[1], KEYS[2]
local message, id, now = ARGV[1], ARGV[2], ARGV[3]
if redis.call('EXISTS', task) == 1 then return 0 end
redis.call('HSET', task, 'msg', message, 'state', 'pending', 'pending_since', now)
redis.call('LPUSH', pending, id)
return 1`)

type job struct {
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// A random UUID, as asynq gives to each task.
func newID() (string, error) {
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return "", err
	}
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]), nil
}

// The fields of asynq's message that are not empty by default, encoded as Protocol Buffers encode them.
func message(id string, from job) []byte {
	const text, number = 2, 0
	to := make([]byte, 0, 256)
	addText := func(field byte, value string) {
		to = append(to, field<<3|text)
		to = binary.AppendUvarint(to, uint64(len(value)))
		to = append(to, value...)
	}
	addNumber := func(field byte, value uint64) {
		to = append(to, field<<3|number)
		to = binary.AppendUvarint(to, value)
	}
	addText(1, from.Type)
	addText(2, string(from.Payload))
	addText(3, id)
	addText(4, queue)
	addNumber(5, 25)   // retries
	addNumber(8, 1800) // seconds until its timeout
	return to
}

type server struct {
	pool      *redis.Pool
	published atomic.Bool // the queue is among those that asynq knows
}

func (s *server) enqueue(what job) (string, error) {
	connection := s.pool.Get()
	defer connection.Close()
	if !s.published.Load() {
		if _, err := connection.Do("SADD", "asynq:queues", queue); err != nil {
			return "", err
		}
		s.published.Store(true)
	}
	id, err := newID()
	if err != nil {
		return "", err
	}
	const prefix = "asynq:{" + queue + "}:"
	added, err := redis.Int(enqueueScript.Do(
		connection, prefix+"t:"+id, prefix+"pending", message(id, what), id, time.Now().UnixNano()))
	if err == nil && added == 0 {
		err = fmt.Errorf("there is a task %s", id)
	}
	return id, err
}

func (s *server) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	var what job
	if err := json.NewDecoder(request.Body).Decode(&what); err != nil {
		http.Error(answer, err.Error(), http.StatusBadRequest)
		return
	}
	id, err := s.enqueue(what)
	if err != nil {
		http.Error(answer, err.Error(), http.StatusServiceUnavailable)
		return
	}
	answer.Header().Set("Content-Type", "application/json")
	answer.WriteHeader(http.StatusCreated)
	fmt.Fprintf(answer, "{\"job-id\":%q}\n", id)
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: asynq HOST:PORT")
	}
	size := 10 * runtime.GOMAXPROCS(0)
	pool := &redis.Pool{
		MaxIdle: size, MaxActive: size, Wait: true,
		Dial: func() (redis.Conn, error) { return redis.Dial("tcp", os.Args[1]) },
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ready %d\n", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, &server{pool: pool}))
}
