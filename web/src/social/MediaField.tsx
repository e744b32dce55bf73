import { socialLimits } from '@nolo/rules';
import { ImagePlus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { request } from '../api/request.ts';
import { useFailureWords } from '../features/contacts/useChangeContacts.ts';
import { toast } from '../state/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import type { ComposedMedia } from './model/composeForm.ts';
import { useSocialWords } from './useSocialWords.ts';

/** Without what it says of where and with what it was made, as everything that is sent. */
async function upload(chosen: File): Promise<ComposedMedia> {
  const { prepareMedia } = await import('../features/media/prepareMedia.ts');
  const { files } = await prepareMedia(chosen);
  const file = new File([files.file], chosen.name, { type: files.file.type || chosen.type });
  const form = new FormData();
  form.append('kind', file.type.startsWith('video/') ? 'video' : 'image');
  form.append('name', file.name);
  form.append('file', file);
  const reply = await request('/api/upload-media', { method: 'POST', body: form }, { timeoutMs: null });
  const { url } = (await reply.json()) as { url: string };
  return { url, name: file.name, type: file.type, bytes: file.size, altText: '' };
}

const isVideo = ({ type }: { type: string }): boolean => type.startsWith('video/');

export interface MediaFieldProps {
  media: readonly ComposedMedia[];
  onAdd: (added: ComposedMedia) => void;
  onDescribe: (url: string, altText: string) => void;
  onRemove: (url: string) => void;
}

/** Pictures or one video that go with the post, each with what stands in for it. */
export function MediaField({ media, onAdd, onDescribe, onRemove }: MediaFieldProps) {
  const { t } = useSocialWords();
  const words = useFailureWords();
  const picker = useRef<HTMLInputElement>(null);
  const [uploading, setUploading] = useState(false);

  const add = async (files: File[]): Promise<void> => {
    const wanted = files.filter(({ type }) => /^(image|video)\//.test(type));
    const problem =
      wanted.length < files.length
        ? t('social.problems.notMedia')
        : [...media, ...wanted].filter(isVideo).length > 1
          ? t('social.problems.oneVideo')
          : null;
    if (problem !== null) {
      toast({ kind: 'error', title: problem });
      return;
    }
    setUploading(true);
    try {
      for (const file of wanted.slice(0, socialLimits.socialMediaPerPost - media.length)) onAdd(await upload(file));
    } catch (error) {
      toast({ kind: 'error', title: t('social.failed.upload'), description: words(error) });
    } finally {
      setUploading(false);
    }
  };

  return (
    <div className="flex flex-col gap-3">
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/*,video/*"
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button
        kind="secondary"
        size="small"
        className="self-start"
        busy={uploading}
        icon={<ImagePlus aria-hidden="true" />}
        onClick={() => picker.current?.click()}
      >
        {uploading ? t('social.compose.uploading') : t('social.compose.addMedia')}
      </Button>
      {media.map(({ url, name, type, altText }) => (
        <div key={url} className="flex items-end gap-3">
          {isVideo({ type }) ? (
            <video
              src={url}
              muted
              preload="metadata"
              className="size-16 shrink-0 rounded-control bg-sunken object-cover"
            />
          ) : (
            <img src={url} alt={altText} className="size-16 shrink-0 rounded-control bg-sunken object-cover" />
          )}
          <TextField
            className="min-w-0 flex-1"
            label={t('social.compose.alt', { name })}
            maxLength={socialLimits.socialAltTextLength}
            value={altText}
            onChange={(event) => onDescribe(url, event.target.value)}
          />
          <IconButton
            label={t('social.compose.removeMedia', { name })}
            icon={<X aria-hidden="true" />}
            onClick={() => onRemove(url)}
          />
        </div>
      ))}
    </div>
  );
}
