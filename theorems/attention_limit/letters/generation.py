"""Letters of Proposition D.1 for any inputs: one dot product, given all that comes before it."""

from theorems.attention_limit.letters.table import random, real, size

earlier = random("earlier", "S", "combination of dot products of vectors that come earlier")
newest = random("newest", "P", "dot product of a new vector with a combination of earlier ones")
past_mean = random("past_mean", "m", "mean of this dot product given all that comes earlier")
past_variance = random("past_variance", "V", "variance of it given all that comes earlier")
limit_mean = random(
    "limit_mean",
    r"\mathring m",
    "combination of earlier dot products with the limits of the coefficients",
)
limit_variance = size("limit_variance", r"\mathring V", "limit of this variance")
coefficient = real("coefficient", "t", "coefficient of the newest dot product")
