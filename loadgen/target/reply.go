package target

import (
	"fmt"
	"strings"
	"time"

	"github.com/gomodule/redigo/redis"
)

// Kind is what a reply is.
type Kind uint8

// The kinds of replies. A nil array counts as Nil, an empty one as Array.
const (
	Status  Kind = iota + 1 // +OK
	Integer                 // :1
	Value                   // a bulk string
	Nil                     // a missing value or array
	Array
	Failure // an error reply; Err is its text
)

// String is the kind in a word.
func (k Kind) String() string {
	names := [...]string{"none", "status", "integer", "value", "nil", "array", "failure"}
	if int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Reply is what is known of a reply; its body is not kept.
type Reply struct {
	At       time.Duration // arrival of its last byte, since the connection's base (M2)
	Kind     Kind
	Elements int    // direct elements, when Kind is Array
	Nils     int    // direct elements that are nil, when Kind is Array
	Failures int    // direct elements that are errors, when Kind is Array (EXEC)
	Bytes    int64  // length of all bulk strings in it, without framing
	Err      string // text of the error reply, or of the first error inside an array (EXEC); "" = success
}

// Code is the first word of an error reply, such as "WRONGTYPE" or "ERR".
func Code(text string) string {
	code, _, _ := strings.Cut(text, " ")
	return code
}

// ReplyError is an error reply: the server refused one command, and the
// connection is as good as before.
type ReplyError string

// Error is the server's own text.
func (e ReplyError) Error() string { return string(e) }

// plain turns redigo's error values into ours, inside arrays too, so that no
// other package has to know redigo.
func plain(reply any) any {
	switch v := reply.(type) {
	case redis.Error:
		return ReplyError(v)
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return reply
}

// Int64 reads an integer reply, or a bulk string that holds a number, as in
// target.Int64(control.Do("LLEN", key)).
func Int64(reply any, err error) (int64, error) {
	n, err := redis.Int64(refused(reply, err))
	if err != nil {
		return 0, trim(err)
	}
	return n, nil
}

// Text reads a status or a bulk string.
func Text(reply any, err error) (string, error) {
	s, err := redis.String(refused(reply, err))
	if err != nil {
		return "", trim(err)
	}
	return s, nil
}

// Strings reads an array of bulk strings; nil elements come as "".
func Strings(reply any, err error) ([]string, error) {
	s, err := redis.Strings(refused(reply, err))
	if err != nil {
		return nil, trim(err)
	}
	return s, nil
}

// Scan reads a reply of SCAN and its relatives. The iteration is over when the
// cursor is "0".
func Scan(reply any) (cursor string, keys []string, err error) {
	pair, err := redis.Values(refused(reply, nil))
	if err != nil {
		return "", nil, trim(err)
	}
	if len(pair) != 2 {
		return "", nil, fmt.Errorf("a scan reply has a cursor and a list, this one %d parts", len(pair))
	}
	if cursor, err = Text(pair[0], nil); err != nil {
		return "", nil, err
	}
	keys, err = Strings(pair[1], nil)
	return cursor, keys, err
}

// refused lets an element of Control.Pipeline be read like a reply of Control.Do.
func refused(reply any, err error) (any, error) {
	if e, ok := reply.(ReplyError); ok && err == nil {
		return nil, e
	}
	return reply, err
}

// trim takes the library's name off a conversion error.
func trim(err error) error {
	if text, ok := strings.CutPrefix(err.Error(), "redigo: "); ok && isConversion(err) {
		return fmt.Errorf("reply: %s", text)
	}
	return err
}

func isConversion(err error) bool {
	return err == redis.ErrNil || strings.Contains(err.Error(), "unexpected type")
}
