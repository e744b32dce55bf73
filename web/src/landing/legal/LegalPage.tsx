import { ArrowLeft } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, request } from '../../api/request.ts';
import type { LegalPageName } from '../../shell/knownPaths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { PlainIconButton } from '../../ui/PlainIconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { readNotice, type NoticeBlock } from './readNotice.ts';
import { useTexts } from '../../i18n/texts.ts';
import { missingTexts } from '../../shell/missingTexts.ts';

/** Loads the German notice if the operator has one, otherwise the default one, which always exists. */
async function noticeIn(name: LegalPageName, language: string): Promise<string> {
  const read = async (file: string) =>
    (await request(`/legal/${file}.txt`, { method: 'GET' }, { silent: true })).text();
  if (language !== 'de') return read(name);
  return read(`${name}.de`).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return read(name);
    throw error;
  });
}

/**
 * Privacy notice or terms, from the text files under /legal, which the operator replaces. Shown to signed-in and
 * signed-out people, so it uses no router. Pass `name` as its key too.
 */
export function LegalPage({ name }: { name: LegalPageName }) {
  const { t, i18n } = useTexts(missingTexts);
  const [blocks, setBlocks] = useState<NoticeBlock[] | 'failed' | null>(null);

  const load = useCallback(() => {
    noticeIn(name, i18n.language)
      .then((text) => setBlocks(readNotice(text)))
      .catch(() => setBlocks('failed'));
  }, [name, i18n.language]);
  useEffect(load, [load]);
  useEffect(() => {
    document.title = `${t(`legal.${name}`)} · ${t('common.productName')}`;
  }, [name, t]);

  return (
    <div className="mx-auto w-full max-w-160 px-5 pt-[calc(env(safe-area-inset-top)+0.75rem)] pb-16">
      <header className="flex items-center gap-2">
        <PlainIconButton
          label={t('common.back')}
          icon={<ArrowLeft className="rtl:-scale-x-100" />}
          className="-ms-2.5"
          onClick={() => {
            // A new tab has no page to go back to.
            if (history.length > 1) history.back();
            else location.assign('/');
          }}
        />
        <Logo />
      </header>
      <article className="mt-6 flex flex-col gap-4 text-15 leading-[1.6]" aria-busy={blocks === null}>
        {blocks === null && <Skeleton className="h-8 w-3/5" />}
        {blocks === 'failed' && (
          <ErrorState
            title={t('missing:page')}
            onRetry={() => {
              setBlocks(null);
              load();
            }}
          />
        )}
        {Array.isArray(blocks) && blocks.map((block, place) => <Block key={place} block={block} />)}
      </article>
    </div>
  );
}

function Block({ block }: { block: NoticeBlock }) {
  switch (block.kind) {
    case 'title':
      return <h1 className="text-32 max-[22rem]:text-24 font-semibold tracking-tight text-balance">{block.text}</h1>;
    case 'heading':
      return <h2 className="mt-4 text-20 font-semibold tracking-tight">{block.text}</h2>;
    case 'list':
      return (
        <ul className="flex list-disc flex-col gap-1.5 ps-5">
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      );
    default:
      return <p>{block.text}</p>;
  }
}
