package paired

// Pair is one value of each side, measured back to back: requests per second, or
// nanoseconds of a percentile. Both are at least 0; a side that did nothing has 0.
type Pair struct{ A, B float64 }

// Kind is one of the verdicts of M22.
type Kind string

// The verdicts. Faster and Slower speak of B, whichever direction of the metric is
// the better one.
const (
	Faster         Kind = "faster"
	Slower         Kind = "slower"
	BelowPractical Kind = "below_practical" // real, but smaller than anybody would act on
	NoDifference   Kind = "no_difference"   // none larger than the practical limit
	CannotTell     Kind = "cannot_tell"
)

// Verdict is a Kind and its sentence for people, such as
// "B faster: x 6.77 [6.51..7.02]" or "cannot tell: noise ±4.1 %, about 9 more pairs".
type Verdict struct {
	Kind Kind
	Text string
}

// Finding is what pairs say of B against A.
type Finding struct {
	Pairs int
	// Ratio is the Hodges–Lehmann median of B/A, Low and High its exact 95 % interval
	// (M20). All three are 0 where there is no pair.
	Ratio, Low, High float64
	P                float64 // exact Wilcoxon signed-rank, two-sided, after Holm over the family; 1 where there is no pair
	Raw              float64 // the same before Holm
	Floor            float64 // noise floor: how far apart two identical arms came out (M23), as a share: 0.012 is 1.2 %
	More             int     // with CannotTell: about so many more pairs are needed; 0 = unknown
	Verdict          Verdict
}
