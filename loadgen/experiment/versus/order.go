package versus

import "math/rand/v2"

// Orders is the order of the arms in each round. It is random, so that no
// rhythm of the machine falls in step with an arm, and balanced, so that no arm
// profits from coming first: in every len(arms) rounds each arm takes each place
// once (a Latin square of rotations, in random order).
func Orders(random *rand.Rand, rounds, arms int) [][]int {
	var orders [][]int
	for len(orders) < rounds {
		base := random.Perm(arms)
		for _, shift := range random.Perm(arms) {
			order := append(append([]int{}, base[shift:]...), base[:shift]...)
			orders = append(orders, order)
		}
	}
	return orders[:rounds]
}
