//go:build !linux

package loadgen

func newAlarm() alarm { return newRuntimeAlarm() }
