package loadgen

import (
	"strings"
	"testing"
	"time"
)

func TestClockCheck(t *testing.T) {
	if _, warn := clockNote(clockLimit); warn {
		t.Errorf("%v is not too much", clockLimit)
	}
	note, warn := clockNote(1500 * time.Nanosecond)
	if !warn || !note.Warning || !strings.Contains(note.Text, "1.5µs") {
		t.Errorf("note %+v", note)
	}
	if cost := clockCost(); cost <= 0 || cost > time.Millisecond {
		t.Errorf("a reading costs %v", cost)
	}
}
