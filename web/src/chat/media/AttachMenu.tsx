import { Camera, File as FileIcon, Images, Link2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';

export interface AttachMenuProps {
  onPictures: () => void;
  onFile: () => void;
  /** Where there is no camera the line is missing. */
  onCamera: (() => void) | undefined;
  /** Where the server does not fetch what is behind links the line is missing. */
  onLink: (() => void) | undefined;
  onClose: () => void;
}

/** What can be sent beside words. It stands over the button that opens it. */
export function AttachMenu({ onPictures, onFile, onCamera, onLink, onClose }: AttachMenuProps) {
  const { t } = useTranslation();
  return (
    <DropdownMenu
      open
      onOpenChange={onClose}
      align="start"
      side="top"
      trigger={<span aria-hidden="true" className="pointer-events-none absolute inset-0" />}
    >
      <MenuItem icon={<Images />} onSelect={onPictures}>
        {t('conversation.attachPictures')}
      </MenuItem>
      <MenuItem icon={<FileIcon />} onSelect={onFile}>
        {t('conversation.attachFile')}
      </MenuItem>
      {onCamera && (
        <MenuItem icon={<Camera />} onSelect={onCamera}>
          {t('conversation.attachCamera')}
        </MenuItem>
      )}
      {onLink && (
        <MenuItem icon={<Link2 />} onSelect={onLink}>
          {t('conversation.attachLink')}
        </MenuItem>
      )}
    </DropdownMenu>
  );
}
