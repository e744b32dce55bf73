import { VoiceBody } from '../voice/VoiceBody.tsx';
import { FileBody } from '../media/FileBody.tsx';
import type { MediaProps } from '../media/mediaProps.ts';
import { PictureBody } from '../media/PictureBody.tsx';

/** Picture, video, sound, file or voice note. */
export function MediaBody(props: MediaProps) {
  switch (props.media.kind) {
    case 'image':
    case 'video':
      return <PictureBody {...props} />;
    case 'file':
      return <FileBody {...props} />;
    case 'audio':
    case 'voice':
      return <VoiceBody {...props} />;
  }
}
