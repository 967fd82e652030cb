package workload

import "strings"

// piece is a part of an argument's template: literal bytes, or a placeholder.
type piece struct {
	kind pieceKind
	text string // of a literal
}

// pieceKind says what stands at a place of a template. The kinds up to places are
// numbers of the key space, and index what draws them.
type pieceKind uint8

const (
	anew    pieceKind = 0 // __rand_int__; 1 to 9 are __rand_1st__ to __rand_9th__
	score   pieceKind = 10
	places            = 11
	literal pieceKind = 11
	data    pieceKind = 12
	tagged  pieceKind = 13 // what stands between the braces of TagMark
)

// placeholders are the names of all numbers, by kind, and of values.
func placeholders() [12]string {
	return [...]string{
		RandMark, "__rand_1st__", "__rand_2nd__", "__rand_3rd__", "__rand_4th__",
		"__rand_5th__", "__rand_6th__", "__rand_7th__", "__rand_8th__", "__rand_9th__",
		ScoreMark, DataMark,
	}
}

// fuse is what all placeholders begin with.
const fuse = "__"

// cut takes the i-th word of t apart. In a cluster the keys of the catalogue's tests
// get a tag where redis-benchmark has it, and tags become places of their own.
func (w Workload) cut(t Test, i int) []piece {
	template := t.Args[i]
	if w.Slots == nil {
		return w.Keys.cut(template, !t.Custom)
	}
	if !t.Custom {
		template = withTag(template)
	}
	var pieces []piece
	for _, p := range w.Keys.cut(template, !t.Custom) {
		if p.kind != literal {
			pieces = append(pieces, p)
			continue
		}
		for at := strings.Index(p.text, TagMark); at >= 0; at = strings.Index(p.text, TagMark) {
			pieces = append(pieces, piece{literal, p.text[:at+1]}, piece{kind: tagged})
			p.text = p.text[at+len(TagMark)-1:]
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// withTag puts TagMark into a key of the catalogue: before its number, or at the end.
func withTag(template string) string {
	name, ok := strings.CutPrefix(template, PrefixMark)
	if !ok {
		return template
	}
	if name, ok := strings.CutSuffix(name, RandMark); ok {
		return PrefixMark + name + TagMark + ":" + RandMark
	}
	return PrefixMark + name + ":" + TagMark
}

// cut takes a template apart. own tells that it is one of the catalogue, where the
// prefix and scores have placeholders too; custom commands know only those that
// their users do.
func (k KeySpace) cut(template string, own bool) []piece {
	var pieces []piece
	add := func(text string) {
		if last := len(pieces) - 1; last >= 0 && pieces[last].kind == literal {
			pieces[last].text += text
		} else if text != "" {
			pieces = append(pieces, piece{literal, text})
		}
	}
	done := 0 // up to here template is in pieces
	for i := 0; i < len(template); {
		n := strings.Index(template[i:], fuse)
		if n < 0 {
			break
		}
		i += n
		rest := template[i:]
		if own && eat(&rest, PrefixMark) {
			add(template[done:i] + k.Prefix)
		} else if kind, ok := eatPlaceholder(&rest, own); ok {
			add(template[done:i])
			switch {
			case kind == data || k.Size > 1:
				pieces = append(pieces, piece{kind: kind})
			case kind == score:
				add("0")
			default:
				add(zeros)
			}
		} else {
			i++
			continue
		}
		i = len(template) - len(rest)
		done = i
	}
	add(template[done:])
	return pieces
}

// eatPlaceholder removes a placeholder from the front of template.
func eatPlaceholder(template *string, own bool) (kind pieceKind, ok bool) {
	if !strings.HasPrefix(*template, fuse) {
		return 0, false
	}
	for i, name := range placeholders() {
		kind := pieceKind(i)
		if name == DataMark {
			kind = data
		}
		if (own || kind != score) && eat(template, name) {
			return kind, true
		}
	}
	return 0, false
}

// eat removes mark from the front of template and tells whether it was there.
func eat(template *string, mark string) bool {
	rest, ok := strings.CutPrefix(*template, mark)
	*template = rest
	return ok
}

// firstMark is where a custom command's argument has its first placeholder, or in a
// cluster its first tag; its length where it has none.
func (w Workload) firstMark(arg string) int {
	n := firstMark(arg)
	if tag := strings.Index(arg[:n], TagMark); tag >= 0 && w.Slots != nil {
		return tag
	}
	return n
}

// firstMark is where a custom command's argument has its first placeholder, its
// length where it has none.
func firstMark(arg string) int {
	for i := range len(arg) {
		rest := arg[i:]
		if _, ok := eatPlaceholder(&rest, false); ok {
			return i
		}
	}
	return len(arg)
}
