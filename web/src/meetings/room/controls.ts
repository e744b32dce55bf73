import type { Layout } from './model/meetingStage.ts';
import type { PanelName, RoomDialog } from './Room.tsx';
import type { FullScreen } from './useFullScreen.ts';
import type { PictureInPicture } from './usePictureInPicture.ts';

/** What the bar and its menu may do to the room. */
export interface ControlsBarProps {
  layout: Layout;
  onLayout: (layout: Layout) => void;
  onDialog: (dialog: RoomDialog) => void;
  onPanel: (panel: PanelName) => void;
  hasChat: boolean;
  fullScreen: FullScreen;
  pictureInPicture: PictureInPicture;
  onLeave: () => void;
}

/** Of a round button in the bar; the one that opens the menu is made elsewhere. */
export const controlClasses =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors duration-150 sm:size-12 [&_svg]:size-5';
