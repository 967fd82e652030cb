//go:build !faultinject

package loadgen

// breakDown does nothing, and costs nothing, but in a build with the tag
// faultinject.
func breakDown(*Runner) {}
