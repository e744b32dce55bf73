/** Limits of operators' announcements: characters per language, days until the end, and simultaneous announcements. */
export const announcementLimits = { length: 300, days: 90, atOnce: 3 } as const;
