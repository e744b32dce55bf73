/** Things that can be reported to the operators. */
export const reportKinds = ['person', 'message', 'group', 'status'] as const;
export type ReportKind = (typeof reportKinds)[number];

/** Reasons for a report. */
export const reportCategories = ['spam', 'harassment', 'violence', 'impersonation', 'other'] as const;
export type ReportCategory = (typeof reportCategories)[number];

/** Picture submitted with a report of a status update: maximum bytes, and allowed types. */
export const reportPictureLimits = { bytes: 400_000, types: ['image/webp', 'image/jpeg', 'image/png'] } as const;
export type ReportPictureType = (typeof reportPictureLimits.types)[number];

export const reportStates = ['open', 'in_progress', 'closed'] as const;
export type ReportState = (typeof reportStates)[number];

/** Outcomes of a closed report. */
export const reportOutcomes = ['nothing', 'warned', 'suspended', 'removed'] as const;
export type ReportOutcome = (typeof reportOutcomes)[number];
