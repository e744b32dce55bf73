/** What comes over the line together, for every chunk more is named on the first screen. */
export { ComposeDialog } from './ComposeDialog.tsx';
export { ScheduleBadge } from './ScheduleBadge.tsx';
export { ScheduleScreen } from './ScheduleScreen.tsx';
export { tellOfPost } from './tellOfPost.ts';
