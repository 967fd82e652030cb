package workload

// KeyIndices is which of a command's words are its keys.
func KeyIndices(words []string) []int {
	k, _ := lookUp(words)
	return k.locate(words)
}
