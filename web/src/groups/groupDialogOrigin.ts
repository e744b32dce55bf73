/** Origin of a dialog: a phone's header, or the sidebar and the meetings screen (decision 14). */
export type GroupDialogOrigin = 'mobile' | 'desktop';
