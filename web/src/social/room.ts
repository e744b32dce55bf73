/** Entry point of the lazily loaded room. It is a single chunk, because the first screen lists every additional one. */
export { ComposePostDialog } from './ComposePostDialog.tsx';
export { PostsNeedingAttentionBadge } from './PostsNeedingAttentionBadge.tsx';
export { ScheduleScreen } from './ScheduleScreen.tsx';
export { notifyPostOutcome } from './notifyPostOutcome.ts';
