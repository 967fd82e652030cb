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

// Reason says why a verdict is CannotTell.
type Reason string

// The reasons. The empty one goes with every other verdict.
const (
	TooFew      Reason = "too_few"      // pairs, or pairs of twins, for any verdict (M20, M23)
	WithinFloor Reason = "within_floor" // identical arms came out as far apart, or further than the practical limit
	Silent      Reason = "silent"       // neither side did anything in any pair
	Noisy       Reason = "noisy"        // the interval is too wide for any other verdict
	ClientBound Reason = "client_bound" // what was measured is the load generator, see Bind
)

// Finding is what pairs say of B against A. All its numbers are finite.
type Finding struct {
	Pairs int
	// Ratio is the Hodges–Lehmann median of B/A, Low and High its exact 95 % interval
	// (M20). All three are 0 where there is no pair.
	Ratio, Low, High float64
	Confidence       float64 // that the interval really has: 0.95 or a little more, less below six pairs
	P                float64 // exact Wilcoxon signed-rank, two-sided, after Holm over the family, or after Bonferroni while it is measured; 1 where there is no pair
	Raw              float64 // the same before either; verdicts allow for the looks besides
	Floor            float64 // noise floor: how far apart two identical arms came out (M23), as a share: 0.012 is 1.2 %
	// Uneven says that the identical arms differ at p < alpha: something other than
	// the settings sets rounds apart here, and no verdict below Floor can be had.
	Uneven  bool
	Noise   float64 // half the width of the interval, as a share
	Limit   float64 // the practical limit that the verdict is about, as a share (M22)
	More    int     // with CannotTell: about so many more pairs are needed; 0 = unknown, or no reasonable number would do
	Why     Reason
	Verdict Verdict
	// ClientA and ClientB say, with ClientBound, whose limit was the load generator.
	ClientA, ClientB bool
}

// Bind is f where the load generator was the limit of A, of B, or of both: a difference
// of client and client is no word on the server, so no side is called faster or slower
// (M26). The numbers stay.
func (f Finding) Bind(a, b bool, w Words) Finding {
	if a || b {
		f.ClientA, f.ClientB = a, b
		f.Why, f.More, f.Verdict.Kind = ClientBound, 0, CannotTell
		f.Verdict.Text = f.Sentence(w)
	}
	return f
}
