//go:build !unix

package insight

import "time"

// OwnCPU is not known here.
func OwnCPU() Told[time.Duration] { return Told[time.Duration]{} }
