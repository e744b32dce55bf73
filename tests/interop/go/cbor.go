package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode/utf8"
)

// Section 2 of docs/encryption.md: CBOR with core deterministic encoding, restricted to unsigned integers below 2^53
// (uint64), byte strings ([]byte), valid text (string), null (nil), and arrays of known length ([]any).

const (
	integerLimit = 1 << 53
	depthLimit   = 8
)

type refusal struct{ code, message string }

func (r refusal) Error() string { return r.code + ": " + r.message }

func refuse(code, format string, values ...any) error {
	return refusal{code, fmt.Sprintf(format, values...)}
}

func malformed(format string, values ...any) error { return refuse("malformed", format, values...) }

func appendHead(to []byte, major byte, argument uint64) []byte {
	first := major << 5
	switch {
	case argument < 24:
		return append(to, first|byte(argument))
	case argument < 1<<8:
		return append(to, first|24, byte(argument))
	case argument < 1<<16:
		return binary.BigEndian.AppendUint16(append(to, first|25), uint16(argument))
	case argument < 1<<32:
		return binary.BigEndian.AppendUint32(append(to, first|26), uint32(argument))
	default:
		return binary.BigEndian.AppendUint64(append(to, first|27), argument)
	}
}

func appendItem(to []byte, value any) []byte {
	switch value := value.(type) {
	case nil:
		return append(to, 0xf6)
	case int:
		return appendHead(to, 0, uint64(value))
	case uint64:
		return appendHead(to, 0, value)
	case []byte:
		return append(appendHead(to, 2, uint64(len(value))), value...)
	case string:
		return append(appendHead(to, 3, uint64(len(value))), value...)
	case []any:
		to = appendHead(to, 4, uint64(len(value)))
		for _, item := range value {
			to = appendItem(to, item)
		}
		return to
	default:
		panic(fmt.Sprintf("%T has no encoding", value))
	}
}

// enc is enc(x) of the paper.
func enc(value any) []byte { return appendItem(nil, value) }

// array is the array of these values.
func array(values ...any) []any { return values }

func decodeHead(data []byte) (major byte, argument uint64, rest []byte, err error) {
	if len(data) == 0 {
		return 0, 0, nil, malformed("nothing")
	}
	major, short, rest := data[0]>>5, data[0]&31, data[1:]
	if short < 24 {
		return major, uint64(short), rest, nil
	}
	if short > 27 {
		return 0, 0, nil, malformed("a reserved or unknown length")
	}
	size := 1 << (short - 24)
	if len(rest) < size {
		return 0, 0, nil, malformed("a cut head")
	}
	for _, one := range rest[:size] {
		argument = argument<<8 | uint64(one)
	}
	shortest := map[int]uint64{1: 24, 2: 1 << 8, 4: 1 << 16, 8: 1 << 32}[size]
	if argument < shortest {
		return 0, 0, nil, malformed("a longer form")
	}
	return major, argument, rest[size:], nil
}

func decodeItem(data []byte, depth int) (value any, rest []byte, err error) {
	if len(data) > 0 && data[0] == 0xf6 {
		return nil, data[1:], nil
	}
	major, argument, rest, err := decodeHead(data)
	if err != nil {
		return nil, nil, err
	}
	if major == 0 {
		if argument >= integerLimit {
			return nil, nil, malformed("an integer that is too large")
		}
		return argument, rest, nil
	}
	if (major == 2 || major == 3 || major == 4) && argument > uint64(len(rest)) {
		return nil, nil, malformed("a length beyond the end")
	}
	switch major {
	case 2:
		return bytes.Clone(rest[:argument:argument]), rest[argument:], nil
	case 3:
		if !utf8.Valid(rest[:argument]) {
			return nil, nil, malformed("text that is not UTF-8")
		}
		return string(rest[:argument]), rest[argument:], nil
	case 4:
		if depth == depthLimit {
			return nil, nil, malformed("too many arrays in each other")
		}
		items := []any{}
		for range argument {
			var item any
			if item, rest, err = decodeItem(rest, depth+1); err != nil {
				return nil, nil, err
			}
			items = append(items, item)
		}
		return items, rest, nil
	default:
		return nil, nil, malformed("a type without an encoding")
	}
}

// decode returns the value that these bytes, and no others, encode.
func decode(data []byte) (any, error) {
	value, rest, err := decodeItem(data, 0)
	if err == nil && len(rest) > 0 {
		err = malformed("trailing bytes")
	}
	return value, err
}

// fields reads the items of an array in order. It panics with a refusal, which `catch` returns.
type fields struct {
	items []any
}

func catch(err *error) {
	if caught := recover(); caught != nil {
		r, ok := caught.(refusal)
		if !ok {
			panic(caught)
		}
		*err = r
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func fieldsOf(value any, count int) *fields {
	items, ok := value.([]any)
	if !ok || len(items) != count {
		panic(malformed("not an array of %d", count))
	}
	return &fields{items}
}

func (f *fields) next() any {
	item := f.items[0]
	f.items = f.items[1:]
	return item
}

func (f *fields) uint(below uint64) uint64 {
	number, ok := f.next().(uint64)
	if !ok || number >= below {
		panic(malformed("not an integer below %d", below))
	}
	return number
}

func (f *fields) bytes(length int) []byte {
	data, ok := f.next().([]byte)
	if !ok || len(data) != length {
		panic(malformed("not %d bytes", length))
	}
	return data
}

func (f *fields) bytesOrNull(length int) []byte {
	if f.items[0] == nil {
		f.next()
		return nil
	}
	return f.bytes(length)
}

// anyBytes reads bytes of any length.
func (f *fields) anyBytes() []byte {
	data, ok := f.next().([]byte)
	if !ok {
		panic(malformed("not bytes"))
	}
	return data
}

// version reads the version of something that is not a statement.
func (f *fields) version() {
	if f.uint(integerLimit) != 1 {
		panic(malformed("another version"))
	}
}
