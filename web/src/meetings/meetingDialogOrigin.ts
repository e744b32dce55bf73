/** Origin of a dialog: the meetings screen, or the sidebar and the welcome panel (decision 14). */
export type MeetingDialogOrigin = 'screen' | 'sidebar';
