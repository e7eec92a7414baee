// SPDX-License-Identifier: MIT

// A stand-in for asynq's server, which Debian does not package: a worker whose tasks go the way that asynq's go in Redis, in
// the same keys, with asynq's times by default. A task is leased for 30 s, and the lease is extended every 5 s. Every minute,
// and when a server starts, tasks whose lease ended 30 s ago or earlier are retried after 15 to 44 s; every 5 s those that are
// due are forwarded. What could not be acknowledged is sent again every 5 s until the lease ends. A server that stops waits 8 s
// for its tasks, then gives them back. What asynq does beside that is left out.
//
//	asynq work redis://HOST:PORT RECORD CONCURRENCY
//	asynq push redis://HOST:PORT
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math/rand"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"github.com/gomodule/redigo/redis"
)

const (
	lease           = 30 * time.Second
	beat            = 5 * time.Second
	syncInterval    = 5 * time.Second
	forward         = 5 * time.Second
	recoverEach     = time.Minute
	clockSkew       = 30 * time.Second
	shutdown        = 8 * time.Second
	prefix          = "asynq:{default}:"
	pending, active = prefix + "pending", prefix + "active"
	leases, retries = prefix + "lease", prefix + "retry"
)

var enqueueScript = redis.NewScript(2, `
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], 'msg', ARGV[2], 'state', 'pending')
redis.call('LPUSH', KEYS[2], ARGV[1])
return 1`)

var dequeueScript = redis.NewScript(3, `
local id = redis.call('RPOPLPUSH', KEYS[1], KEYS[2])
if not id then return false end
local task = ARGV[2] .. id
redis.call('HSET', task, 'state', 'active')
redis.call('ZADD', KEYS[3], ARGV[1], id)
return redis.call('HGET', task, 'msg')`)

// Takes a task from those that are active; what becomes of it follows.
const leave = `
if redis.call('LREM', KEYS[1], 0, ARGV[1]) == 0 or redis.call('ZREM', KEYS[2], ARGV[1]) == 0 then
  return redis.error_reply('NOT FOUND')
end
`

var doneScript = redis.NewScript(3, leave+`return redis.call('DEL', KEYS[3])`)

var requeueScript = redis.NewScript(4, leave+`
redis.call('HSET', KEYS[3], 'state', 'pending')
return redis.call('RPUSH', KEYS[4], ARGV[1])`)

var retryScript = redis.NewScript(4, leave+`
redis.call('HSET', KEYS[3], 'state', 'retry')
return redis.call('ZADD', KEYS[4], ARGV[2], ARGV[1])`)

var forwardScript = redis.NewScript(2, `
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 100)) do
  redis.call('LPUSH', KEYS[2], id)
  redis.call('ZREM', KEYS[1], id)
  redis.call('HSET', ARGV[2] .. id, 'state', 'pending')
end`)

var extendScript = redis.NewScript(1, `
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'XX', ARGV[1], ARGV[i]) end`)

type job struct {
	ID    int64 `json:"id"`
	MS    int64 `json:"ms"`
	Block int64 `json:"block"`
}

func (j job) name() string { return strconv.FormatInt(j.ID, 10) }

type record struct {
	path string
	file *os.File
}

func (r record) write(what, job string) {
	var now syscall.Timespec
	const monotonic = 1
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, monotonic, uintptr(unsafe.Pointer(&now)), 0)
	fmt.Fprintf(r.file, "%d %d %s %s\n", now.Nano(), os.Getpid(), what, job)
}

func (r record) isFirst() bool { // only the first run blocks
	made, err := os.OpenFile(r.path+".blocked", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err == nil {
		made.Close()
	}
	return err == nil
}

func (r record) handle(what job) {
	r.write("began", what.name())
	if what.Block != 0 && r.isFirst() {
		// The runtime interrupts one that computes; the others go on.
		for until := time.Now().Add(time.Duration(what.Block) * time.Millisecond); time.Now().Before(until); {
		}
	}
	time.Sleep(time.Duration(what.MS) * time.Millisecond)
	r.write("ended", what.name())
}

type server struct {
	pool    *redis.Pool
	record  record
	mutex   sync.Mutex
	held    map[string]time.Time // until when each task is leased
	unsent  map[string]time.Time // tasks that have ended and could not be acknowledged, and until when that is tried
	places  chan struct{}
	abort   chan struct{}
	stopped chan struct{}
}

func unix(at time.Time) int64 { return at.Unix() }

// As go-redis does, three times more if the connection is at fault.
func (s *server) run(script *redis.Script, words ...interface{}) (reply interface{}, err error) {
	for try := 0; try != 4; try++ {
		connection := s.pool.Get()
		reply, err = script.Do(connection, words...)
		connection.Close()
		var refused redis.Error
		if err == nil || errors.Is(err, redis.ErrNil) || errors.As(err, &refused) {
			return
		}
		time.Sleep(time.Duration(8<<try) * time.Millisecond)
	}
	return
}

func (s *server) process() {
	for {
		select {
		case <-s.stopped:
			return
		case s.places <- struct{}{}:
		}
		until := time.Now().Add(lease)
		message, err := redis.Bytes(s.run(dequeueScript, pending, active, leases, unix(until), prefix+"t:"))
		if err != nil {
			<-s.places
			if errors.Is(err, redis.ErrNil) {
				time.Sleep(time.Second)
			} else {
				time.Sleep(100 * time.Millisecond) // asynq's client waits a little before it connects again
			}
			continue
		}
		var what job
		if err := json.Unmarshal(message, &what); err != nil {
			log.Fatal(err)
		}
		s.mutex.Lock()
		s.held[what.name()] = until
		s.mutex.Unlock()
		go s.perform(what)
	}
}

func (s *server) perform(what job) {
	ended := make(chan struct{})
	go func() { s.record.handle(what); close(ended) }()
	id := what.name()
	select {
	case <-ended:
		s.acknowledge(id)
	case <-s.abort:
		if s.isLeased(id) {
			s.run(requeueScript, active, leases, prefix+"t:"+id, pending, id)
		}
	}
	s.mutex.Lock()
	delete(s.held, id)
	s.mutex.Unlock()
	<-s.places
}

func (s *server) isLeased(id string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return time.Now().Before(s.held[id])
}

func (s *server) acknowledge(id string) {
	if !s.isLeased(id) {
		return // the recoverer takes care of it
	}
	if _, err := s.run(doneScript, active, leases, prefix+"t:"+id, id); err != nil {
		s.mutex.Lock()
		s.unsent[id] = s.held[id]
		s.mutex.Unlock()
	}
}

func (s *server) sendAgain() {
	s.mutex.Lock()
	again := map[string]time.Time{}
	for id, until := range s.unsent {
		again[id] = until
	}
	s.mutex.Unlock()
	for id, until := range again {
		sent := time.Now().After(until)
		if !sent {
			_, err := s.run(doneScript, active, leases, prefix+"t:"+id, id)
			sent = err == nil
		}
		if sent {
			s.mutex.Lock()
			delete(s.unsent, id)
			s.mutex.Unlock()
		}
	}
}

// Extends leases that have not ended.
func (s *server) extend() {
	until := time.Now().Add(lease)
	words := []interface{}{leases, unix(until)}
	s.mutex.Lock()
	for id, end := range s.held {
		if time.Now().Before(end) {
			words = append(words, id)
		}
	}
	s.mutex.Unlock()
	if len(words) == 2 {
		return
	}
	if _, err := s.run(extendScript, words...); err != nil && !errors.Is(err, redis.ErrNil) {
		return
	}
	s.mutex.Lock()
	for _, id := range words[2:] {
		if _, found := s.held[id.(string)]; found {
			s.held[id.(string)] = until
		}
	}
	s.mutex.Unlock()
}

func (s *server) forward() {
	s.run(forwardScript, retries, pending, unix(time.Now()), prefix+"t:")
}

func (s *server) recoverLost() {
	connection := s.pool.Get()
	defer connection.Close()
	ids, err := redis.Strings(connection.Do("ZRANGEBYSCORE", leases, "-inf", unix(time.Now().Add(-clockSkew))))
	if err != nil {
		return
	}
	for _, id := range ids {
		delay := time.Duration(15+rand.Intn(30)) * time.Second
		s.run(retryScript, active, leases, prefix+"t:"+id, retries, id, unix(time.Now().Add(delay)))
	}
}

func every(interval time.Duration, what func()) {
	for range time.Tick(interval) {
		what()
	}
}

func (s *server) work(concurrency int) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM)
	s.recoverLost()
	go every(beat, s.extend)
	go every(syncInterval, s.sendAgain)
	go every(forward, s.forward)
	go every(recoverEach, s.recoverLost)
	go s.process()
	s.record.write("ready", "-")
	<-stop
	close(s.stopped)
	time.AfterFunc(shutdown, func() { close(s.abort) })
	for i := 0; i != concurrency; i++ {
		s.places <- struct{}{}
	}
	s.sendAgain()
}

func (s *server) push() {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var what job
		if err := json.Unmarshal(lines.Bytes(), &what); err != nil {
			log.Fatal(err)
		}
		if _, err := s.run(enqueueScript, prefix+"t:"+what.name(), pending, what.name(), lines.Text()); err != nil {
			log.Fatal(err)
		}
	}
}

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: asynq work redis://HOST:PORT RECORD CONCURRENCY | asynq push redis://HOST:PORT")
	}
	place := strings.TrimPrefix(os.Args[2], "redis://")
	rand.Seed(time.Now().UnixNano())
	s := &server{
		pool: &redis.Pool{
			MaxIdle: 10,
			Dial: func() (redis.Conn, error) {
				return redis.Dial("tcp", place, redis.DialConnectTimeout(5*time.Second), redis.DialReadTimeout(3*time.Second))
			},
		},
		held: map[string]time.Time{}, unsent: map[string]time.Time{},
		abort: make(chan struct{}), stopped: make(chan struct{}),
	}
	if os.Args[1] == "push" {
		s.push()
		return
	}
	concurrency, err := strconv.Atoi(os.Args[4])
	if err != nil {
		log.Fatal(err)
	}
	s.record.path = os.Args[3]
	if s.record.file, err = os.OpenFile(s.record.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644); err != nil {
		log.Fatal(err)
	}
	s.places = make(chan struct{}, concurrency)
	s.work(concurrency)
}
