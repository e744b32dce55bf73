/**
 * Received JSON. A test accesses any depth and asserts with expect() what it needs, which checks more than a cast to
 * the hoped-for type.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Json = any;
