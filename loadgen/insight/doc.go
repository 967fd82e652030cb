// Package insight reads what a server says of itself, as differences between two
// looks (M25).
package insight
