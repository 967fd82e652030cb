package loadgen

import "slices"

// shares deals n clients out in proportion to weights, by largest remainder. Everybody
// with a weight above zero gets one at least while there are enough clients.
func shares(n int, weights []float64) []int {
	counts := make([]int, len(weights))
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	if sum <= 0 {
		return counts
	}
	rest := make([]float64, len(weights))
	left := n
	for i, w := range weights {
		quota := float64(n) * w / sum
		counts[i] = int(quota)
		rest[i] = quota - float64(counts[i])
		left -= counts[i]
	}
	for range left {
		i := largest(rest)
		counts[i]++
		rest[i] = -1
	}
	for i, w := range weights {
		if rich := largest(counts); w > 0 && counts[i] == 0 && counts[rich] > 1 {
			counts[rich]--
			counts[i]++
		}
	}
	return counts
}

// largest is the index of the first largest value; values must not be empty.
func largest[T int | float64](values []T) int {
	best := 0
	for i, v := range values {
		if v > values[best] {
			best = i
		}
	}
	return best
}

// seating gives each client its post, counts[i] of them to posts[i]. Whoever is at a
// node already stays there while there is room, so that a change of slots moves as few
// connections as possible; new clients are dealt in turn, so that fewer clients leave
// the nodes' shares as they are.
func seating(posts []*post, counts []int, before []*post) []*post {
	total := 0
	for _, n := range counts {
		total += n
	}
	seats, left := make([]*post, total), slices.Clone(counts)
	for id := range min(total, len(before)) {
		i := slices.IndexFunc(posts, func(p *post) bool { return p.node == before[id].node })
		if i >= 0 && left[i] > 0 {
			seats[id] = posts[i]
			left[i]--
		}
	}
	open := make([]float64, len(posts)) // part of each node's places that is free
	for id := range seats {
		if seats[id] != nil {
			continue
		}
		for i := range posts {
			open[i] = -1
			if left[i] > 0 {
				open[i] = float64(left[i]) / float64(counts[i])
			}
		}
		i := largest(open)
		seats[id] = posts[i]
		left[i]--
	}
	return seats
}
