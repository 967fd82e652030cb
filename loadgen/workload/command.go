package workload

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Step is one command of a custom command line.
type Step struct {
	Title  string   // the words as they were typed, printable
	Args   []string // decoded, binary safe; Args[0] is the command's name
	Repeat int      // how many times it is sent before the next step, at least 1
}

// separator stands between two commands of a sequence.
const separator = ";"

const commandForm = `give a command such as SET key:__rand_int__ __data__, or several: SET a 1 ';' 4 GET a`

// ParseCommand reads a custom command line that is already split into words, as a
// shell does: [N] COMMAND ARG… [';' [N] COMMAND ARG…]…, where N repeats a command.
//
// A word that begins with a quote is decoded as redis-cli decodes it: "a\x00b\n",
// 'it\'s'. Any other word stays as it is. A quoted ";" is an argument.
//
// Arguments are sent as they are written: no prefix is put before keys. These
// placeholders are replaced, anywhere in an argument and any number of times:
//
//	__rand_int__                twelve digits of the key space, drawn anew each time
//	__rand_1st__ … __rand_9th__ likewise, but one value within a command line
//	__data__                    a value, Workload.Payload or Sizes long
//	{tag}                       in a cluster only: a hash tag such as {fHh}
//
// The tag is that of a slot of the client's node, one for the whole command line, and
// the numbers beside it are those that have this slot (see Workload.Slots). Without a
// number beside any, it is always the same tag. Keys without {tag} are drawn until
// their slots are the node's.
//
// While the key space has one key the digits are zeros. Errors begin with "command:".
func ParseCommand(words []string) ([]Step, error) {
	var steps []Step
	for len(words) > 0 {
		n := slices.Index(words, separator)
		if n < 0 {
			n = len(words)
		}
		step, err := parseStep(words[:n])
		if err != nil {
			return nil, fmt.Errorf("command: %w", err)
		}
		steps = append(steps, step)
		words = words[min(n+1, len(words)):] // one separator at the very end is let pass
	}
	if len(steps) == 0 {
		return nil, errors.New("command: no command given: " + commandForm)
	}
	return steps, nil
}

// ParseLine is ParseCommand and Sequence for a line that no shell has split: words
// are separated by blanks and may be quoted.
func ParseLine(line string) (Mix, error) {
	words, err := splitLine(line)
	if err != nil {
		return nil, fmt.Errorf("command: %w", err)
	}
	steps, err := ParseCommand(words)
	if err != nil {
		return nil, err
	}
	return Sequence(steps), nil
}

func parseStep(words []string) (Step, error) {
	step := Step{Repeat: 1}
	if len(words) > 0 && beginsWithDigit(words[0]) {
		n, err := strconv.ParseUint(words[0], 10, 32)
		if err != nil || n < 1 || n > MaxWeight {
			return Step{}, badRepeat(words[0])
		}
		step.Repeat, words = int(n), words[1:]
	}
	if len(words) == 0 {
		return Step{}, errors.New("an empty command: " + commandForm)
	}
	step.Title = printable(strings.Join(words, " "))
	for _, word := range words {
		arg, err := unquote(word)
		if err != nil {
			return Step{}, fmt.Errorf("word %s: %w", quote(word), err)
		}
		step.Args = append(step.Args, arg)
	}
	return step, checkName(step.Args)
}

// beginsWithDigit: no command of Redis does.
func beginsWithDigit(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

func badRepeat(word string) error {
	return fmt.Errorf("%s before a command repeats it: give one whole number from 1 to %d, such as 4 GET a", quote(word), MaxWeight)
}

// checkName refuses what cannot be a command, and commands that do not answer each
// request with one reply, which is all that can be measured.
func checkName(args []string) error {
	name := args[0]
	if name == "" {
		return errors.New("a command without a name: " + commandForm)
	}
	if beginsWithDigit(name) {
		return badRepeat(name)
	}
	if firstMark(name) < len(name) {
		return fmt.Errorf("placeholder in the name %s: they may stand in arguments only: %s", quote(name), commandForm)
	}
	if !singular(args) {
		return fmt.Errorf("%s does not answer each request with one reply of RESP2, so that it cannot be measured: %s",
			quote(strings.Join(args[:min(2, len(args))], " ")), commandForm)
	}
	return nil
}

// AppendArg gives the last command one more argument, such as what -x reads from
// stdin. It is taken as it is, except for placeholders; titles do not show it.
func AppendArg(steps []Step, arg []byte) []Step {
	steps = slices.Clone(steps)
	last := &steps[len(steps)-1]
	last.Args = append(slices.Clone(last.Args), string(arg))
	return steps
}

// Sequence is the mix that sends steps in their order, over and over, each as
// often as it is repeated: a row, and so statistics of its own, for every step.
// Between MULTI and EXEC the replies only say that commands are queued, so that
// nothing there is a hit or a miss.
func Sequence(steps []Step) Mix {
	mix := make(Mix, len(steps))
	queued := false
	for i, s := range steps {
		t := customTest(s)
		switch strings.ToLower(s.Args[0]) {
		case "multi":
			queued = true
		case "exec", "discard":
			queued = false
		}
		if queued {
			t.Reads, t.PerElement, t.Values = false, false, 0
		}
		mix[i] = Entry{Test: t, Weight: s.Repeat, Ordered: true}
	}
	return mix
}

// customTest is the row of a custom command. What it touches comes from the table
// of known commands, so that keys are counted and hits told from misses.
func customTest(s Step) Test {
	k, _ := lookUp(s.Args)
	name := listed(s.Args[0])
	t := Test{Title: s.Title, Args: s.Args, Custom: true, Writes: k.writes, Keys: len(k.locate(s.Args))}
	t.PerElement = strings.Contains(eachMisses, name)
	t.Reads = t.PerElement || strings.Contains(misses, name)
	if t.Reads {
		t.Values = max(t.Keys, 1)
	}
	return t
}
