import { Camera, ImageUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../ui/failures.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { PictureUploadDialog } from './PictureUploadDialog.tsx';
import { findPictureProblem, pictureTypes } from './pictureRules.ts';
import type { PictureTarget } from './usePictureUpload.ts';
import { usePictureUpload } from './usePictureUpload.ts';

export interface PictureEditorProps {
  /** Name whose initial is shown while there is no picture. */
  name: string;
  imageUrl: string | null;
  target: PictureTarget;
  /** Labels of the camera button and the dialog. */
  changeLabel: string;
  title: string;
}

/** Picture with the camera button that changes it. */
export function PictureEditor({ name, imageUrl, target, changeLabel, title }: PictureEditorProps) {
  const { t } = useTranslation();
  const upload = usePictureUpload(target);
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<{ file: File; url: string } | null>(null);

  const choose = (list: FileList | null) => {
    const files = [...(list ?? [])];
    const [file] = files;
    if (file === undefined) return;
    const problem = findPictureProblem(files);
    if (problem === null) {
      setChosen({ file, url: URL.createObjectURL(file) });
      return;
    }
    showFailure({
      title: t('profile.pictureErrors.uploadAddress.title'),
      description: t(`profile.pictureProblems.${problem}`),
    });
  };

  const button = (
    <PlainIconButton
      label={changeLabel}
      icon={<Camera />}
      kind="solid"
      size="small"
      // Larger touch target around the button, so that the letters of the name stay visible.
      className="relative min-h-0! min-w-0! rounded-full! ring-3 ring-raised after:absolute after:-inset-1.5"
      {...(imageUrl === null && { onClick: () => input.current?.click() })}
    />
  );
  return (
    <div className="relative inline-flex">
      <Avatar name={name} imageUrl={imageUrl} size={96} />
      <div className="absolute -end-1 -bottom-1">
        {imageUrl === null ? (
          button
        ) : (
          <DropdownMenu align="start" trigger={button}>
            <MenuItem icon={<ImageUp />} onSelect={() => input.current?.click()}>
              {t('profile.choosePicture')}
            </MenuItem>
            <MenuItem danger icon={<Trash2 />} onSelect={() => void upload.remove()}>
              {t('profile.removePicture')}
            </MenuItem>
          </DropdownMenu>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={pictureTypes.join(',')}
        className="hidden"
        aria-hidden="true"
        tabIndex={-1}
        data-testid="picture-input"
        onChange={(event) => {
          choose(event.target.files);
          // Lets the user choose the same file again.
          event.target.value = '';
        }}
      />
      {chosen !== null && (
        <PictureUploadDialog
          {...chosen}
          title={title}
          upload={upload}
          onClose={() => {
            URL.revokeObjectURL(chosen.url);
            setChosen(null);
          }}
        />
      )}
    </div>
  );
}
