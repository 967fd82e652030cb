package loadgen

import (
	"time"

	"fullbore/loadgen/insight"
	"fullbore/loadgen/stats"
)

// Insight is what the server and this machine did beside the load, at one moment
// (M25, M26). It is immutable. Of a cluster it is about the primary with the most
// to do.
type Insight struct {
	At      time.Duration   // since the run began
	Reading insight.Reading // the latest of the server
	Delta   insight.Delta   // between it and the one before: about a second
	Since   insight.Delta   // since the present segment is measured
	Host    insight.HostDelta
	HostAll insight.HostDelta // since the present segment is measured
	Limiter insight.Limiter   // what holds the load back, smoothed over some seconds
	Silent  string            // why the server tells nothing, in its own words; "" = it does
	Beats   []Beat            // one for each second, oldest first, for charts
	Events  []stats.Mark      // what happened to the server: "background save", "restarted"
	Notes   []string          // what should be known of the server beside the limiter
	Machine insight.Machine

	held []holding // what held back each segment so far
}

// Beat is a second of a server's life. Figures that it does not tell are negative.
type Beat struct {
	At      time.Duration // since the run began
	CPU     float64       // of the thread that runs commands, as a share of a core
	Client  float64       // this process, as a share of what it may use
	Memory  float64       // bytes
	Hits    float64       // share of look-ups that found their key
	In, Out float64       // bytes per second
	Clients float64
	Ops     float64 // commands per second, whoever sent them
}
