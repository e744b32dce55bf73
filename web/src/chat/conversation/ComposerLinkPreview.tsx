import { Link2, X } from 'lucide-react';
import { getLinkPreviewChoiceStore } from '../context/linkPreviewChoice.ts';
import { Button } from '../../ui/Button.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import type { ComposerLinkPreviewState } from './useComposerLinkPreview.ts';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

/** Preview of a link above the text field; the first time, a question if previews are wanted. */
export function ComposerLinkPreview({ state, preview, host, remove }: ComposerLinkPreviewState) {
  const { t } = useTexts(messagesTexts);
  if (state === 'none') return null;
  if (state === 'ask') {
    const choice = getLinkPreviewChoiceStore();
    return (
      <div
        role="status"
        className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-raised px-3 py-2 text-13"
      >
        <div className="min-w-48 flex-1">
          <p className="font-semibold">{t('messages:preview.ask')}</p>
          <p className="text-muted">{t('messages:preview.askText')}</p>
        </div>
        <span className="flex gap-1">
          <Button kind="quiet" size="small" onClick={() => choice.choose('off')}>
            {t('messages:preview.no')}
          </Button>
          <Button kind="secondary" size="small" onClick={() => choice.choose('on')}>
            {t('messages:preview.yes')}
          </Button>
        </span>
      </div>
    );
  }
  return (
    <div className="mb-2 flex items-center gap-2.5 overflow-hidden rounded-card border border-line bg-raised pe-1 text-13">
      {preview?.image === undefined ? (
        <span aria-hidden="true" className="flex size-12 shrink-0 items-center justify-center bg-sunken text-muted">
          {preview ? <Link2 className="size-5" /> : <Spinner />}
        </span>
      ) : (
        <img src={preview.image} alt="" className="size-12 shrink-0 object-cover" />
      )}
      <span role="status" className="min-w-0 flex-1">
        <span dir="auto" className="block truncate text-ui-start font-semibold">
          {preview?.title ?? t('messages:preview.loading')}
        </span>
        <span dir="ltr" className="block truncate text-ui-start text-muted">
          {host}
        </span>
      </span>
      <PlainIconButton size="small" label={t('messages:preview.remove')} icon={<X />} onClick={remove} />
    </div>
  );
}
