/**
 * What came over the wire. A test looks into it as deep as it likes and says with expect() what it
 * wants to find there, which is a better check than a cast to the type it hopes for.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Json = any;
