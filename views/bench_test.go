package views_test

import (
	"testing"

	"fullbore/views"
)

// A comparison is drawn as often as the live screen and has the same budget.
func BenchmarkCompare(b *testing.B) {
	for _, bb := range []struct {
		name string
		v    views.Compare
		f    views.Frame
	}{
		{"two 80x24 ascii", compare(), views.Frame{Width: 80, Height: 24, Theme: views.MonoTheme(views.ASCII)}},
		{"two 120x40 block", compare(), views.Frame{Width: 120, Height: 40, Theme: views.DefaultTheme(views.Block)}},
		{"six by sixteen 120x40 block", compareTests(compareArms(6), 16), views.Frame{Width: 120, Height: 40, Theme: views.DefaultTheme(views.Block)}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bb.v.Render(bb.f)
			}
		})
	}
}

// The screen's share of a core is 2 % at 4 frames a second: 5 ms a frame, of which
// Render may use one.
func BenchmarkLive(b *testing.B) {
	for _, bb := range []struct {
		name string
		f    views.Frame
	}{
		{"80x24 ascii", views.Frame{Width: 80, Height: 24, Theme: views.MonoTheme(views.ASCII)}},
		{"120x40 ascii", views.Frame{Width: 120, Height: 40, Theme: views.MonoTheme(views.ASCII)}},
		{"120x40 block", views.Frame{Width: 120, Height: 40, Theme: views.DefaultTheme(views.Block)}},
		{"120x40 braille", views.Frame{Width: 120, Height: 40, Theme: views.DefaultTheme(views.Braille)}},
		{"300x90 block", views.Frame{Width: 300, Height: 90, Theme: views.DefaultTheme(views.Block)}},
	} {
		l := live()
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.Render(bb.f)
			}
		})
	}
}
