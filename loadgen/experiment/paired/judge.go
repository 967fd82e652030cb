package paired

import "math"

// MostPairs is how many pairs are ever worth taking (M20): whoever needs more has to
// measure longer rounds, or on a quieter machine.
const MostPairs = 30

// Judge turns pairs into findings by the rules M20 to M23. The zero value judges by
// their figures.
type Judge struct {
	Practical float64 // limit below which nobody acts, as a share; 0 = 0.03
	Alpha     float64 // a claim needs p below it, near the noise below a tenth of it; 0 = 0.01
	Least     int     // pairs before any verdict; 0 = 8
	Most      int     // pairs after which it ends; 0 = 30
	Family    int     // comparisons that are made together, all arms and cases; 0 = 1
}

// Comparison is two arms that were measured side by side.
type Comparison struct {
	Words
	Pairs []Pair
	// Twins are pairs of the reference with a second arm just like it (M23). No verdict
	// is given before there are Judge.Least of them.
	Twins []Pair
	// Lower says that less of the metric is better, as with latencies.
	Lower bool
}

// withDefaults fills in what is not given, or makes no sense.
func (j Judge) withDefaults() Judge {
	if !(j.Practical > 0) || math.IsInf(j.Practical, 0) {
		j.Practical = 0.03
	}
	if !(j.Alpha > 0) || j.Alpha > 1 {
		j.Alpha = 0.01
	}
	if j.Least <= 0 {
		j.Least = 8
	}
	if j.Most <= 0 {
		j.Most = MostPairs
	}
	j.Family = max(1, j.Family)
	return j
}

// Look is the finding while comparisons are still being measured, to be asked after
// each pair. The other members of the family are allowed for by Bonferroni, and the
// other looks by level.
func (j Judge) Look(c Comparison) Finding {
	j = j.withDefaults()
	f := j.measure(c)
	f.P = Bonferroni(f.Raw, j.Family)
	return j.conclude(f, c)
}

// All are the findings when nothing more is measured: those of all comparisons made
// together, in the order given, with Holm's correction over them. A comparison that
// has a claim in Look keeps it, because Holm never gives a larger p than Bonferroni.
func (j Judge) All(cs []Comparison) []Finding {
	j = j.withDefaults()
	findings, raw := make([]Finding, len(cs)), make([]float64, len(cs))
	for i, c := range cs {
		findings[i] = j.measure(c)
		raw[i] = findings[i].Raw
	}
	for i, p := range holm(raw, j.Family) {
		findings[i].P = p
		findings[i] = j.conclude(findings[i], cs[i])
	}
	return findings
}

// Decided reports whether a comparison may end: it has a claim, or its interval lies
// within the practical limit, or it has its last pair (M20). A real difference that
// seems to be below the limit goes on until the whole interval says so.
func (j Judge) Decided(f Finding) bool {
	j = j.withDefaults()
	switch {
	case f.Pairs >= j.Most:
		return true
	case f.Pairs < j.Least || f.Why == TooFew:
		return false
	case f.Verdict.Kind == Faster || f.Verdict.Kind == Slower:
		return true
	}
	return f.within(j.Practical)
}

// measure fills in all that does not depend on other comparisons.
func (j Judge) measure(c Comparison) Finding {
	f := Finding{Pairs: len(c.Pairs), Limit: j.Practical, Raw: 1}
	if len(c.Twins) > 0 {
		// The floor is where the estimate lies and not where its interval ends: with
		// the eight pairs of M23 at a noise of 8 % the interval ends some 8 % away, and
		// a true difference of 10 % would drown in it. Chance is what the test is for;
		// the floor is for what sets equal arms apart in earnest.
		twins := logs(c.Twins, c.Lower)
		f.Floor = share(HodgesLehmann(twins).Center)
		f.Uneven = SignedRank(twins) < j.Alpha
	}
	if len(c.Pairs) == 0 {
		return f
	}
	ratios := logs(c.Pairs, c.Lower)
	e := HodgesLehmann(ratios)
	f.Ratio, f.Low, f.High = math.Exp(e.Center), math.Exp(e.Low), math.Exp(e.High)
	f.Confidence = e.Confidence
	f.Noise = share((e.High - e.Low) / 2)
	f.Raw = SignedRank(ratios)
	return f
}

// conclude gives f its verdict; its P is that of the family.
func (j Judge) conclude(f Finding, c Comparison) Finding {
	f.Verdict.Kind, f.Why = j.kind(f, c)
	switch f.Why {
	case TooFew:
		f.More = max(j.Least-len(c.Pairs), j.Least-len(c.Twins))
	case Noisy:
		f.More = j.more(f)
	}
	w := c.Words
	if c.Lower && w.Metric == "" {
		w.Metric = "latency"
	}
	f.Verdict.Text = f.Sentence(w)
	return f
}

func (j Judge) kind(f Finding, c Comparison) (Kind, Reason) {
	if len(c.Pairs) < j.Least || len(c.Twins) < j.Least {
		return CannotTell, TooFew
	}
	if silent(c.Pairs) {
		return CannotTell, Silent // two servers that are gone are not alike
	}
	effect, real := f.effect(), f.P < j.level(f)
	switch {
	case f.P < j.Alpha && effect <= f.Floor:
		return CannotTell, WithinFloor // M23: whatever p is
	case real && effect < j.Practical:
		return BelowPractical, ""
	case real && (f.Ratio > 1) != c.Lower:
		return Faster, ""
	case real:
		return Slower, ""
	case !f.within(j.Practical):
		return CannotTell, Noisy
	case f.Floor > j.Practical:
		// Pairs that agree so well, and identical arms that do not: one of them
		// misleads, and nobody knows which.
		return CannotTell, WithinFloor
	}
	return NoDifference, ""
}

// silent reports that neither side did anything in any of the pairs.
func silent(pairs []Pair) bool {
	for _, p := range pairs {
		if p.A > 0 || p.B > 0 {
			return false
		}
	}
	return true
}

// clear is how many times the noise a difference has to be so that chance hardly ever
// looks like it: within eight pairs that is some six standard errors.
const clear = 2.4

// level is the p below which the difference found is a claim. Looking after each pair
// at the usual 0.05 would give 19 % false alarms, which is why M20 has alpha at 0.01.
// That still is 4 % of experiments, simulated, so that of 40 comparisons of a setting
// with itself one or two would name a winner (C01). A difference that does not stand
// clear of the noise therefore needs a tenth of alpha, the 0.001 that Haybittle (1971)
// and Peto (1976) ask of a trial that is stopped early; that leaves 0.6 %, and takes
// eleven pairs at least. A clear one may be claimed from the eighth pair on.
func (j Judge) level(f Finding) float64 {
	if math.Log1p(f.effect()) >= clear*math.Log1p(f.Noise) {
		return j.Alpha
	}
	return j.Alpha / 10
}

// effect is the size of the difference, as a share; 0 without a pair.
func (f Finding) effect() float64 {
	if f.Ratio == 0 {
		return 0
	}
	return share(math.Log(f.Ratio))
}

// within says that the whole interval lies closer to no difference than limit.
func (f Finding) within(limit float64) bool {
	return f.Low > 0 && share(math.Log(f.Low)) < limit && share(math.Log(f.High)) < limit
}

// more estimates how many pairs a noisy comparison still lacks, if they go on like
// those so far. It is decided when p falls below alpha, or when the interval fits into
// the practical limit; the nearer of the two counts. 0 where more than MostPairs would
// be needed.
func (j Judge) more(f Finding) int {
	n, effect := float64(f.Pairs), f.effect()
	alpha := j.level(f) / float64(j.Family)
	needed := math.Inf(1)
	if effect > f.Floor {
		// The distance from no difference, in standard deviations, grows with the root
		// of the pairs (a normal distribution is near enough for an estimate). And there
		// have to be enough signs for such a p at all: it is never below 2^(1−n).
		reached, wanted := math.Erfinv(1-f.Raw), math.Erfinv(1-alpha)
		needed = max(n*sq(wanted/reached), math.Floor(1-math.Log2(alpha))+1)
	}
	if room := math.Log1p(j.Practical) - math.Log1p(effect); room > 0 && f.Floor <= j.Practical {
		needed = min(needed, n*sq(math.Log1p(f.Noise)/room)) // intervals narrow with that root
	}
	if needed = math.Ceil(needed); !(needed <= MostPairs) || f.Pairs >= MostPairs {
		return 0
	}
	return max(1, int(needed)-f.Pairs)
}

func sq(v float64) float64 { return v * v }
