package workload_test

import (
	"strings"
	"testing"

	"fullbore/loadgen/workload"
)

// bitwise is the slot of key by the definition: the tag rule in words of package
// strings, and a polynomial division bit by bit.
func bitwise(key string) int {
	if _, after, ok := strings.Cut(key, "{"); ok {
		if tag, _, ok := strings.Cut(after, "}"); ok && tag != "" {
			key = tag
		}
	}
	sum := 0
	for _, b := range []byte(key) {
		for bit := 7; bit >= 0; bit-- {
			top := sum>>15&1 != int(b>>bit&1)
			if sum = sum << 1 & 0xffff; top {
				sum ^= 0x1021
			}
		}
	}
	return sum % 16384
}

// The values are those of the cluster specification, and what a Redis 7 answers to
// CLUSTER KEYSLOT.
func TestSlot(t *testing.T) {
	for key, want := range map[string]int{
		"123456789": 0x31C3, "foo": 12182, "": 0, "{user1000}.following": 3443, "{user1000}.followers": 3443,
		"user1000": 3443, "foo{bar}{zap}": 5061, "bar": 5061, "foo{{bar}}zap": 4015, "{bar": 4015,
		"foo{}{bar}": 8363, "}{": bitwise("}{"), "a}{b}c": bitwise("b"), "{": bitwise("{"), "{}": bitwise("{}"),
	} {
		if got := workload.Slot(key); got != want || workload.Slot([]byte(key)) != want {
			t.Errorf("%s: slot %d, want %d", key, got, want)
		}
	}
}

func FuzzSlot(f *testing.F) {
	for _, seed := range []string{"", "foo", "{a}b", "a{}b", "{{}}", "a}b{c", "a{b}c{d}", "\x00\xff{\x80}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if got, want := workload.Slot(key), bitwise(key); got != want || workload.Slot([]byte(key)) != want {
			t.Errorf("%q: slot %d, want %d", key, got, want)
		}
	})
}

func slots(t testing.TB, text string) *workload.Slots {
	t.Helper()
	s, err := workload.ParseSlots(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSlots(t *testing.T) {
	for text, want := range map[string]struct {
		text  string
		count int
	}{
		"": {"", 0}, "0-16383": {"0-16383", 16384}, "0-5460,6000": {"0-5460,6000", 5462}, "5-9,1-3,4": {"1-9", 9},
		"16383,0,63,64": {"0,63-64,16383", 4}, "1-10,3-12": {"1-12", 12},
	} {
		s := slots(t, text)
		if s.String() != want.text || s.Count() != want.count {
			t.Errorf("%s: %s with %d slots, want %s with %d", text, s, s.Count(), want.text, want.count)
		}
		if again := slots(t, s.String()); !again.Equal(s) || s.Equal(nil) || s.Equal(slots(t, "7000")) {
			t.Errorf("%s: it does not compare", text)
		}
		n := 0
		for slot := -1; slot <= 16384; slot++ {
			if s.Has(slot) {
				n++
			}
		}
		if n != want.count {
			t.Errorf("%s: Has %d, Count %d", text, n, want.count)
		}
	}
	var none *workload.Slots
	if !none.Equal(nil) || none.Equal(slots(t, "")) || none.String() != "" {
		t.Error("nil is taken for the empty set")
	}
}

func TestSlotsRefused(t *testing.T) {
	for _, text := range []string{"16384", "0-16384", "9-5", "-1", "a", "1,", ",", "1-", "1-2-3", " 1", "99999999"} {
		if s, err := workload.ParseSlots(text); err == nil {
			t.Errorf("%s is accepted as %s", text, s)
		} else if !strings.HasPrefix(err.Error(), "slots ") || !strings.Contains(err.Error(), "0-5460") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := workload.NewSlots(workload.SlotRange{First: -1, Last: 3}); err == nil {
		t.Error("a negative slot is accepted")
	}
}

func FuzzParseSlots(f *testing.F) {
	for _, seed := range []string{"", "0-5460,6000", "1,", "16384", "5-1", "0-16383"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := workload.ParseSlots(text)
		if err != nil {
			return
		}
		if again, err := workload.ParseSlots(s.String()); err != nil || !again.Equal(s) {
			t.Errorf("%q became %q: %v", text, s, err)
		}
	})
}
