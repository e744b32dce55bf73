/** Of what operators tell everybody: characters in one language, days until its end, and how many there are at once. */
export const bulletinLimits = { length: 300, days: 90, atOnce: 3 } as const;
