import { Camera, File as FileIcon, Images, Link2 } from 'lucide-react';
import { MenuItems, MenuOverButton } from '../../ui/DropdownMenu.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

export interface AttachMenuProps {
  onPictures: () => void;
  onFile: () => void;
  /** Absent if there is no camera. The item is then hidden. */
  onCamera: (() => void) | undefined;
  /** Absent if the server does not fetch links. The item is then hidden. */
  onLink: (() => void) | undefined;
  onClose: () => void;
}

/** Menu of everything that can be attached. It opens over its button. */
export function AttachMenu({ onPictures, onFile, onCamera, onLink, onClose }: AttachMenuProps) {
  const { t } = useTexts(conversationTexts);
  return (
    <MenuOverButton side="top" onClose={onClose}>
      <MenuItems
        entries={[
          { icon: <Images />, label: t('conversation:attachPictures'), onSelect: onPictures },
          { icon: <FileIcon />, label: t('conversation:attachFile'), onSelect: onFile },
          onCamera !== undefined && { icon: <Camera />, label: t('conversation:attachCamera'), onSelect: onCamera },
          onLink !== undefined && { icon: <Link2 />, label: t('conversation:attachLink'), onSelect: onLink },
        ]}
      />
    </MenuOverButton>
  );
}
