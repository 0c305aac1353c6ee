package jsonrow

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A parser reads JSON text from the front.
type parser struct {
	data  []byte
	pos   int
	depth int
}

// maxDepth is that of encoding/json.
const maxDepth = 10000

func (p *parser) wrong(format string, args ...any) error {
	return &failure{offset: p.pos, reason: fmt.Sprintf(format, args...)}
}

func (p *parser) short() error { return &failure{offset: len(p.data), err: errShort} }

// unexpected tells about the byte at which the text stops being JSON, or what was expected.
func (p *parser) unexpected(expected string) error {
	if p.pos >= len(p.data) {
		return p.short()
	}
	r, _ := utf8.DecodeRune(p.data[p.pos:])
	return p.wrong("%q instead of %s", r, expected)
}

// mismatch tells of a value that begins at start, and of the type that it doesn't fit.
func (p *parser) mismatch(value string, t reflect.Type, start int) error {
	return &failure{offset: start, err: &json.UnmarshalTypeError{Value: value, Type: t, Offset: int64(start)}}
}

// peek skips white space, and gives the byte after it, or 0 at the end.
func (p *parser) peek() byte {
	for p.pos < len(p.data) {
		switch c := p.data[p.pos]; c {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return c
		}
	}
	return 0
}

// expect reads a byte after white space.
func (p *parser) expect(c byte, what string) error {
	if p.peek() != c || p.pos >= len(p.data) {
		return p.unexpected(what)
	}
	p.pos++
	return nil
}

func (p *parser) enter() error {
	p.depth++
	if p.depth > maxDepth {
		return p.wrong("nested deeper than %d", maxDepth)
	}
	return nil
}

// word reads null, true or false, of which the first byte is there.
func (p *parser) word(word string) error {
	for i := 0; i < len(word); i++ {
		if p.pos >= len(p.data) {
			return p.short()
		}
		if p.data[p.pos] != word[i] {
			return p.unexpected(word)
		}
		p.pos++
	}
	return nil
}

// element reads what is before an element of an array whose bracket has been read: false after the last.
func (p *parser) element(first bool) (bool, error) {
	switch c := p.peek(); {
	case c == ']':
		p.pos++
		return false, nil
	case first && p.pos < len(p.data):
		return true, nil
	case c == ',':
		p.pos++
		if p.peek() == ']' {
			return false, p.unexpected("a value")
		}
		return true, nil
	default:
		return false, p.unexpected("',' or ']'")
	}
}

// key reads the key of a member of an object whose brace has been read, and the colon: false after the last member.
func (p *parser) key(first bool) (text []byte, plain, more bool, err error) {
	switch c := p.peek(); {
	case c == '}':
		p.pos++
		return nil, false, false, nil
	case first:
	case c == ',':
		p.pos++
		p.peek()
	default:
		return nil, false, false, p.unexpected("',' or '}'")
	}
	if text, plain, err = p.quoted(); err == nil {
		err = p.expect(':', "':'")
	}
	return text, plain, err == nil, err
}

// member is key with its value, and skips the white space before the member's value.
func (p *parser) member(first bool) (key string, more bool, err error) {
	text, plain, more, err := p.key(first)
	if more {
		key = value(text, plain)
		p.peek()
	}
	return key, more, err
}

// skip reads any value, and gives its text.
func (p *parser) skip() ([]byte, error) {
	p.peek()
	start := p.pos
	err := p.skipValue()
	return p.data[start:p.pos], err
}

func (p *parser) skipValue() error {
	if p.pos >= len(p.data) {
		return p.short()
	}
	switch c := p.data[p.pos]; c {
	case '"':
		_, _, err := p.quoted()
		return err
	case '[':
		return p.skipArray()
	case '{':
		return p.skipObject()
	case 'n':
		return p.word("null")
	case 't':
		return p.word("true")
	case 'f':
		return p.word("false")
	default:
		_, _, err := p.number()
		return err
	}
}

func (p *parser) skipArray() error {
	if err := p.enter(); err != nil {
		return err
	}
	p.pos++
	for first := true; ; first = false {
		more, err := p.element(first)
		if err == nil && more {
			err = p.skipValue()
		}
		if err != nil {
			return err
		}
		if !more {
			p.depth--
			return nil
		}
	}
}

func (p *parser) skipObject() error {
	if err := p.enter(); err != nil {
		return err
	}
	p.pos++
	for first := true; ; first = false {
		_, _, more, err := p.key(first)
		if err == nil && more {
			p.peek()
			err = p.skipValue()
		}
		if err != nil {
			return err
		}
		if !more {
			p.depth--
			return nil
		}
	}
}

// number reads one, and tells whether it is an integer.
func (p *parser) number() (text []byte, integer bool, err error) {
	data, start, i := p.data, p.pos, p.pos
	if i < len(data) && data[i] == '-' {
		i++
	}
	digits := i
	for i < len(data) && data[i]-'0' <= 9 {
		i++
	}
	if i == digits || (data[digits] == '0' && i > digits+1) {
		if p.pos = i; i > digits {
			p.pos = digits + 1
		}
		return nil, false, p.unexpected("a value")
	}
	integer = true
	if i < len(data) && data[i] == '.' {
		integer = false
		i++
		digits = i
		for i < len(data) && data[i]-'0' <= 9 {
			i++
		}
		if i == digits {
			p.pos = i
			return nil, false, p.unexpected("a digit")
		}
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		integer = false
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		digits = i
		for i < len(data) && data[i]-'0' <= 9 {
			i++
		}
		if i == digits {
			p.pos = i
			return nil, false, p.unexpected("a digit")
		}
	}
	p.pos = i
	return data[start:i], integer, nil
}

// quoted reads a string, and gives what is between the quotes; plain means that this is its value.
func (p *parser) quoted() (text []byte, plain bool, err error) {
	if p.pos >= len(p.data) || p.data[p.pos] != '"' {
		return nil, false, p.unexpected("a string")
	}
	data, start := p.data, p.pos+1
	plain = true
	var bits byte
	for i := start; i < len(data); i++ {
		c := data[i]
		bits |= c
		switch {
		case c == '"':
			p.pos = i + 1
			text = data[start:i]
			if bits >= utf8.RuneSelf && plain && !utf8.Valid(text) {
				plain = false
			}
			return text, plain, nil
		case c == '\\':
			plain = false
			i++
			if i >= len(data) {
				return nil, false, p.short()
			}
			if !isEscape[data[i]] {
				p.pos = i
				return nil, false, p.unexpected("an escape")
			}
			for n := 0; data[i] == 'u' && n < 4; n++ {
				if i+1+n >= len(data) {
					return nil, false, p.short()
				}
				if hexValue(data[i+1+n]) < 0 {
					p.pos = i + 1 + n
					return nil, false, p.unexpected("a hexadecimal digit")
				}
			}
		case c < ' ':
			p.pos = i
			return nil, false, p.unexpected("a character of a string")
		}
	}
	return nil, false, p.short()
}

var isEscape = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true,
	'u': true}

func hexValue(c byte) rune {
	switch {
	case c-'0' <= 9:
		return rune(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return rune(c|0x20-'a') + 10
	default:
		return -1
	}
}

// str reads a string's value.
func (p *parser) str() (string, error) {
	text, plain, err := p.quoted()
	if err != nil {
		return "", err
	}
	return value(text, plain), nil
}

// value is that of what quoted gives.
func value(text []byte, plain bool) string {
	if plain {
		return string(text)
	}
	return unquote(text)
}

// unquote gives the value of a string with escapes, or with what is not UTF-8, which becomes U+FFFD as in
// encoding/json.
func unquote(text []byte) string {
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		c := text[0]
		if c != '\\' {
			r, size := utf8.DecodeRune(text)
			b.WriteRune(r)
			text = text[size:]
			continue
		}
		if text[1] != 'u' {
			b.WriteByte(unescaped[text[1]])
			text = text[2:]
			continue
		}
		r := codeUnit(text)
		text = text[6:]
		if utf16.IsSurrogate(r) {
			pair := utf8.RuneError
			if len(text) >= 6 && text[0] == '\\' && text[1] == 'u' {
				pair = utf16.DecodeRune(r, codeUnit(text))
			}
			if pair != utf8.RuneError {
				text = text[6:]
			}
			r = pair
		}
		b.WriteRune(r)
	}
	return b.String()
}

var unescaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// codeUnit gives that of an escape such as \u00e9.
func codeUnit(text []byte) (r rune) {
	for _, c := range text[2:6] {
		r = r<<4 | hexValue(c)
	}
	return r
}
