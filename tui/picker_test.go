package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"fullbore/loadgen"
	"fullbore/loadgen/workload"
	"fullbore/views"
)

// atPicker is a desk with the picker open, on a load of SET.
func atPicker(t *testing.T, change ...func(*Options)) *desk {
	t.Helper()
	d := newDesk(t, change...)
	d.press("tab", "tab", "tab", "enter")
	if d.m.live.picker == nil {
		t.Fatal("enter on the command does not open the picker")
	}
	return d
}

// letters are the keys of a text.
func letters(text string) []string { return strings.Split(text, "") }

func mixOf(t *testing.T, text string) workload.Mix {
	t.Helper()
	mix, err := parseLine(text)
	if err != nil {
		t.Fatal(err)
	}
	return mix
}

func (d *desk) picked() views.Picker { return d.m.live.picker.view() }

// names are the tests that are listed.
func names(p views.Picker) string {
	var out []string
	for _, r := range p.Rows {
		out = append(out, r.Name)
	}
	return strings.Join(out, " ")
}

func TestPickingSendsWhatItSaid(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		want string
	}{
		{"a filter and enter", append(letters("get"), "enter"), "get"},
		{"in any case", append(letters("LRANGE_3"), "enter"), "lrange_300"},
		{"down", []string{"down", "enter"}, "get"},
		{"ctrl+n twice", []string{"ctrl+n", "ctrl+n", "enter"}, "incr"},
		{"up", []string{"up", "enter"}, "ping_mbulk"},
		{"ctrl+p, round", []string{"ctrl+p", "ctrl+p", "ctrl+p", "enter"}, "xadd"},
		{"a second of the filter", append(letters("push"), "down", "enter"), "rpush"},
		{"the cursor of the filter stays at its end", []string{"e", "left", "t", "down", "enter"}, "get"},
		{"a filter taken back", []string{"z", "backspace", "down", "enter"}, "ping_mbulk"},
		{"a mix", append(letters("get"), " ", "+", "+", "enter"), "set=1,get=3"},
		{"= is +", append(letters("get"), " ", "=", "enter"), "set=1,get=2"},
		{"+ puts in", append(letters("get"), "+", "enter"), "set=1,get=1"},
		{"keys of one read", []string{"get", " ", "++", "enter"}, "set=1,get=3"},
		{"the first made heavier", []string{"+", "+", "down", " ", "enter"}, "set=3,get=1"},
		{"less weight, and out", append(letters("get"), "+", "+", "+", "-", "-", "enter"), "set=1,get=1"},
		{"out of the mix", []string{" ", "down", " ", "enter"}, "get"},
		{"a weight alone is all the same", []string{"+", "+", "down", "+", "-", "enter"}, ""},
		{"untouched", []string{"enter"}, ""},
		{"there and back", []string{"down", "up", "enter"}, ""},
		{"esc keeps the old", []string{"down", " ", "esc"}, ""},
		{"a command of one's own", []string{":", "HSET user:__rand_int__ name __data__", "enter"}, "HSET user:__rand_int__ name __data__"},
		{"tab is :", append(append([]string{"tab"}, letters("LLEN fullbore:mylist")...), "enter"), "LLEN fullbore:mylist"},
		{"a sequence", []string{":", "SET a 1 ; 4 GET a", "enter"}, "SET a 1 ; 4 GET a"},
		{"text is text on the line", append(append([]string{":"}, letters("SET k:1 +-=q?")...), "enter"), "SET k:1 +-=q?"},
		{"a mix on the line", []string{":", "set=10,get=90", "enter"}, "set=10,get=90"},
		{"a test on the line", []string{":", "incr", "enter"}, "incr"},
		{"a PING of one's own", []string{":", "1 PING", "enter"}, "PING"},
		{"the line left alone", []string{":", "SET a", "tab", "down", "enter"}, "get"},
		{"tab there and back keeps the text", []string{":", "SET a 1", "tab", "down", "tab", "enter"}, "SET a 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := atPicker(t)
			for i, k := range c.keys {
				if k == "enter" && i == len(c.keys)-1 && c.want != "" {
					if said := d.picked().Chosen; said != c.want {
						t.Errorf("it says that enter sends %q, want %q", said, c.want)
					}
				}
				d.press(k)
			}
			if d.m.live.picker != nil {
				t.Fatalf("the picker stays open: %v", d.picked().Warning)
			}
			if c.want == "" {
				if got := d.e.got(); len(got) != 0 || d.m.live.plan.Workload.Mix.String() != "set" {
					t.Errorf("applied %v", got)
				}
				return
			}
			if got := d.applied(1).Workload.Mix; got.Line() != c.want || own(got) == (c.want == strings.ToLower(c.want)) {
				t.Errorf("applied %s, want %s", got.Line(), c.want)
			}
		})
	}
}

func TestTheFilterNarrows(t *testing.T) {
	d := atPicker(t)
	if p := d.picked(); len(p.Rows) != p.Of || p.Of != len(workload.Catalog()) {
		t.Errorf("%d of %d tests are listed, want all", len(p.Rows), p.Of)
	}
	if p := d.picked(); !p.Rows[2].Focused || p.Rows[2].Weight != 1 || p.Rows[2].About != "SET fullbore:key:__rand_int__ __data__" {
		t.Errorf("it opens on %+v", p.Rows[2])
	}
	d.press(letters("pop")...)
	if got := names(d.picked()); got != "LPOP RPOP SPOP ZPOPMIN" {
		t.Errorf("pop leaves %s", got)
	}
	d.press(letters("corn")...)
	if p := d.picked(); len(p.Rows) != 0 || p.Chosen != "" {
		t.Errorf("popcorn leaves %s", names(p))
	}
	d.press("down", " ", "+", "-", "enter") // nothing to move to and nothing to weigh
	if p := d.picked(); len(p.Warning) != 1 || !strings.Contains(p.Warning[0], "popcorn") {
		t.Errorf("enter on nothing says %q", p.Warning)
	}
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("+ -"), Paste: true})
	if p := d.picked(); p.Filter != "popcorn+ -" {
		t.Errorf("a paste is not text: filter %q", p.Filter)
	}
}

func TestWhatCannotBeSentIsSaid(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{" ", "enter"}, "no test is chosen"},
		{[]string{":", "enter"}, "no command given"},
		{[]string{":", `SET "a`, "enter"}, "command:"},
		{[]string{":", "SUBSCRIBE news", "enter"}, "cannot be measured"},
		{[]string{":", "sett=1,get=2", "enter"}, "did you mean"},
		{[]string{":", "get=0,set", "enter"}, "weight"},
	} {
		d := atPicker(t)
		d.press(c.keys...)
		if d.m.live.picker == nil || len(d.e.got()) != 0 {
			t.Fatalf("%q was sent", c.keys)
		}
		if got := strings.Join(d.picked().Warning, " "); !strings.Contains(got, c.want) {
			t.Errorf("%q: said %q, want %q", c.keys, got, c.want)
		}
		if d.press("x"); len(d.picked().Warning) != 0 {
			t.Errorf("%q: the reason stays while typing goes on", c.keys)
		}
	}
}

// TestOthersKeysTakeASecondEnter holds that one enter never writes to keys of others,
// and that a yes is for what it was asked about.
func TestOthersKeysTakeASecondEnter(t *testing.T) {
	ask := func(o *Options) {
		o.Intrudes = func(m workload.Mix) (lines []string) {
			for _, r := range m.Outside("fullbore:") {
				if r.Writes {
					lines = append(lines, r.Command+" writes to "+strings.Join(r.Keys, " "))
				}
			}
			return lines
		}
	}
	d := atPicker(t, ask)
	d.press(":", "SET visits 1", "enter")
	if got := strings.Join(d.picked().Warning, " "); !strings.Contains(got, "SET visits 1 writes to visits. Enter again") {
		t.Errorf("warning %q", got)
	}
	d.press("0", "enter") // SET visits 10
	if d.m.live.picker == nil || !strings.Contains(d.picked().Warning[0], "SET visits 10") {
		t.Fatal("a yes to one command sent another")
	}
	if d.press("enter"); d.applied(1).Workload.Mix.String() != "SET visits 10" {
		t.Error("the second enter sends something else")
	}
	for _, harmless := range []string{"GET visits", "SET fullbore:mine 1", "set=1,get=1"} {
		d := atPicker(t, ask)
		d.press(":", harmless, "enter")
		if got := d.applied(1).Workload.Mix.Line(); got != harmless {
			t.Errorf("%s was asked about, applied %s", harmless, got)
		}
	}
	// Opening again on what was agreed to, and leaving it so, asks nothing.
	if d.press("enter", "enter"); d.m.live.picker != nil || len(d.e.got()) != 1 {
		t.Error("an unchanged command is asked about or applied again")
	}
}

func TestPickerOpensOnACommandOfOnesOwn(t *testing.T) {
	d := atPicker(t, func(o *Options) { o.Plan.Workload.Mix = mixOf(t, `SET "a b" __data__`) })
	if p := d.picked(); !p.OnLine || p.Line.Text != `SET "a b" __data__` || p.Line.Cursor != 18 {
		t.Errorf("opened as %+v", p.Line)
	}
	d.press("tab", "enter")
	if got := d.applied(1).Workload.Mix.String(); got != "ping_inline" {
		t.Errorf("enter on the first of the list sends %s", got)
	}
}

// A command that is too long for the line is not cut by looking at it.
func TestALongCommandIsLeftWhole(t *testing.T) {
	d := atPicker(t, func(o *Options) {
		o.Plan.Workload.Mix = mixOf(t, "DEL "+strings.Repeat("0123456789abcdef ", 1<<13))
	})
	if d.press("enter"); d.m.live.picker != nil || len(d.e.got()) != 0 {
		t.Error("enter on what was left alone changed it")
	}
	d.press("enter", "tab", "tab")
	fits(t, d.m.View(), 80, 24)
}

func TestCommandKnobStepsFromACommandOfOnesOwn(t *testing.T) {
	d := newDesk(t, func(o *Options) { o.Plan.Workload.Mix = mixOf(t, "GET Case") })
	d.press("tab", "tab", "tab")
	if got := d.m.live.focused().value(d.m.live.plan); got != "GET Case" {
		t.Errorf("the knob shows %q: case counts", got)
	}
	if d.press("l"); d.applied(1).Workload.Mix.String() != "ping_inline" {
		t.Error("a step does not lead to the catalogue")
	}
}

// TestOnlyAFewKeysAreSpecialInThePicker holds that commands of the live screen are
// text there, and the way out is the one that always works.
func TestOnlyAFewKeysAreSpecialInThePicker(t *testing.T) {
	for _, line := range []bool{false, true} {
		d := atPicker(t)
		if line {
			d.press("tab")
		}
		if cmd := d.press("q", "?", "f", "h", "l", "ctrl+z", "ctrl+l"); quits(cmd) || d.m.helping || d.m.live.frozen || d.m.leaving || len(d.e.got()) != 0 {
			t.Fatal("text was taken for commands")
		}
		got := d.picked().Filter
		if line {
			got = d.picked().Line.Text
		}
		if got != "q?fhl" {
			t.Errorf("typed %q", got)
		}
		if !quits(d.press("ctrl+c")) {
			t.Error("ctrl+c does not work in the picker")
		}
	}
}

func TestAPickerThatNoLongerShowsIsClosed(t *testing.T) {
	d := atPicker(t)
	d.send(tea.WindowSizeMsg{Width: 40, Height: 10})
	if !quits(d.press("q")) {
		t.Error("q is typed into a list that nobody sees")
	}
	d = atPicker(t)
	d.m.live = d.m.live.finish(nil)
	if d.m.live.picker != nil {
		t.Error("the picker outlives the run")
	}
	d.press("enter")
	if d.m.live.picker != nil {
		t.Error("the picker opens after the end")
	}
}

// An arrow that is split across two reads closes the picker and does nothing else.
func TestArrowSplitAcrossReadsInThePicker(t *testing.T) {
	d := atPicker(t)
	d.press("esc", "[B")
	if d.m.live.picker != nil || d.m.live.focused().name != "command" || len(d.e.got()) != 0 {
		t.Error("the rest of an arrow key did something")
	}
}

// TestPickerKeysDoSomething holds that each key its line and the help name works.
func TestPickerKeysDoSomething(t *testing.T) {
	k := newKeyMap()
	group := k.groups(false)[len(k.groups(false))-1]
	for _, b := range group.bindings {
		for _, name := range b.Keys() {
			d := atPicker(t)
			d.press("down", "+")
			frame := d.m.View()
			if d.press(name); d.m.View() == frame {
				t.Errorf("%s does nothing", name)
			}
		}
	}
	for _, onLine := range []bool{false, true} {
		if line := k.pickerLine(onLine); line[0].Does != "send" || line[1].Does != "close" {
			t.Errorf("the key line begins with %v", line[:2])
		}
	}
}

func TestSizesAreTurnedAsOne(t *testing.T) {
	sizes, err := workload.ParseSizes("10-4k")
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, func(o *Options) { o.Plan.Workload = o.Plan.Workload.Sized(sizes) })
	d.press("tab", "tab", "l")
	if got := d.applied(1).Workload; got.SizeText() != "8192" || got.Sizes != nil {
		t.Errorf("one step from 10-4k is %s, want 8192", got.SizeText())
	}
	var p loadgen.Plan
	if p, err = sizeKnob().parse(firstPlan(), "64:80,1k:15"); err != nil || p.Workload.Payload != 1024 || len(p.Workload.Sizes) != 2 {
		t.Errorf("typed sizes are %v, %v", p.Workload.Sizes, err)
	}
}

// applies waits until the helper's engine was given a plan that begins so.
func (c *console) applies(plan string) {
	c.t.Helper()
	eventually(c.t, "applied: "+plan, func() bool { return strings.Contains(c.stderr.String(), "applied "+plan) })
}

// TestPickingOnATerminal types what a user types, in a terminal that sends keys as
// bytes.
func TestPickingOnATerminal(t *testing.T) {
	c := open(t, "screen picking", 80, 24)
	c.sees("q quit")
	c.types("\t\t\t\r")
	c.sees("21 of 21")
	c.types("get ++") // in one read
	c.sees("enter sends: set=1,get=3")
	c.types("\r")
	c.applies("set=1,get=3 c=50")
	c.sees(">[ SET=1,GET=3 ]<")

	// With the keys that need no escape sequence, and an arrow that does.
	c.types("\r\x10\x0e\x0e\x1b[B")
	c.sees("enter sends: incr")
	c.types("\x1b")
	c.sees("SET=1,GET=3")

	c.types("\r:SET visits __data__\r")
	c.sees("! SET visits __data__ writes to visits")
	if strings.Contains(c.stderr.String(), "visits") {
		t.Error("sent before the second enter")
	}
	c.types("\r")
	c.applies("SET visits __data__ c=50")
	c.sees(">[ SET visits") // the value is cut where it has no room
	c.types("l")
	c.applies("ping_inline c=50")
	c.types("q")
	if got := c.ends(); !strings.Contains(got, `error="<nil>"`) {
		t.Errorf("ended with %s", got)
	}
	c.leftScreen()
}
