import { useStore } from 'zustand';
import { socialPostRequestStore } from '../shell/socialPostRequests.ts';
import { lazyDialog } from '../ui/lazyDialog.tsx';

const ComposeDialog = lazyDialog(async () => (await import('../social/room.ts')).ComposePostDialog);

/** Renders the post editor that a button requested, over every screen. */
export function SocialPostDialogHost() {
  const wanted = useStore(socialPostRequestStore, (state) => state.wanted);
  return wanted && <ComposeDialog {...wanted} onClose={() => socialPostRequestStore.setState({ wanted: null })} />;
}
