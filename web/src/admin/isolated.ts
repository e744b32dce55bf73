/** Isolates an id or a host within a sentence, because they read from left to right in every language. */
export const isolated = (name: string): string => `\u2066${name}\u2069`;
