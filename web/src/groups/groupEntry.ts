/** Where a dialog was opened from: a phone's header, or the sidebar and the meetings screen (decision 14). */
export type GroupEntry = 'mobile' | 'desktop';
