package experiment

import "fullbore/loadgen"

// within says why the arms are beyond what this side can carry. All of them keep their
// connections throughout, and so does the reference's twin, so that they count
// together. The limits are those found before the first of them was made.
func (c *Comparison) within(s Settings) error {
	for _, k := range c.cases {
		var shares []loadgen.Share
		for i, p := range s.Plans {
			shares = append(shares, loadgen.Share{Target: c.arms[i].Place.Target, Plan: inCase(p, k)})
		}
		shares = append(shares, shares[s.Reference])
		if err := c.limits().Check(shares...); err != nil {
			return err
		}
	}
	return nil
}
