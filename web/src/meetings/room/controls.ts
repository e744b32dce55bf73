import type { StageLayout } from './model/meetingStage.ts';
import type { PanelName, RoomDialogName } from './model/roomParts.ts';
import type { FullScreen } from './useFullScreen.ts';
import type { PictureInPicture } from './usePictureInPicture.ts';

export interface ControlsBarProps {
  layout: StageLayout;
  onLayout: (layout: StageLayout) => void;
  onDialog: (dialog: RoomDialogName) => void;
  onPanel: (panel: PanelName) => void;
  hasChat: boolean;
  fullScreen: FullScreen;
  pictureInPicture: PictureInPicture;
  onLeave: () => void;
}

/** Classes of a round button in the bar. The menu's button is created elsewhere. */
export const controlClasses =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors duration-150 sm:size-12 [&_svg]:size-5';
