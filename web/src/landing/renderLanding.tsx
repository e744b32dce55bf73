import type { i18n } from 'i18next';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { ArrowLeft, Paperclip, Smile } from 'lucide-react';
import { createI18n } from '../i18n/i18n.ts';
import { loadedTexts, useTexts } from '../i18n/texts.ts';
import { AppSkeleton } from '../shell/AppSkeleton.tsx';
import { Button } from '../ui/Button.tsx';
import { LogoIcon } from '../ui/Logo.tsx';
import { PlainIconButton } from '../ui/PlainIconButton.tsx';
import { TextField } from '../ui/TextField.tsx';
import {
  composerBarClasses,
  composerButtonClasses,
  composerFieldClasses,
  composerInnerClasses,
  composerRowClasses,
} from '../ui/composerStyles.ts';
import { MessageListSkeleton } from '../chat/conversation/MessageListSkeleton.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Landing } from './Landing.tsx';
import dePhoneForm from '../../locales/de/phoneForm.json' with { type: 'json' };
import deConversation from '../../locales/de/conversation.json' with { type: 'json' };
import de from '../../locales/de/app.json' with { type: 'json' };
import { phoneFormTexts } from '../account/signIn/phoneFormTexts.ts';

/** Conversation placeholder until the app's code loads. Like the chats frame, it is part of the document. */
function ConversationBootSkeleton() {
  const { t } = useTexts();
  return (
    <AppSkeleton
      content={
        <>
          <div className="box-content flex h-16 shrink-0 items-center gap-3 border-b border-line bg-panel px-1 pt-[env(safe-area-inset-top)] md:ps-4 md:pe-2">
            <PlainIconButton
              label={t('common.back')}
              icon={<ArrowLeft className="rtl:-scale-x-100" />}
              className="-me-3 md:hidden"
            />
            <Skeleton className="size-10 rounded-full! max-[22rem]:hidden" />
            <Skeleton className="h-4 w-32" />
          </div>
          <MessageListSkeleton />
          <div className={composerBarClasses}>
            <div className={`${composerInnerClasses} ${composerRowClasses}`}>
              <span className={composerButtonClasses}>
                <Paperclip className="size-[21px]" />
              </span>
              <span className={composerButtonClasses}>
                <Smile className="size-[22px]" />
              </span>
              <textarea
                readOnly
                rows={1}
                className={composerFieldClasses}
                placeholder={t('chats.composerPlaceholder')}
              />
              {/* A microphone icon, or an arrow if there is no microphone. */}
              <span className="size-11 shrink-0 rounded-full bg-sunken" />
            </div>
          </div>
        </>
      }
    />
  );
}

/**
 * Phone form placeholder until the app's code loads, for people who have signed in by phone on this device before. Like
 * the chats frame, it is part of the document.
 */
function PhoneSignInSkeleton() {
  const { t } = useTexts(phoneFormTexts);
  return (
    <div
      aria-hidden="true"
      inert
      className="h-dvh overflow-clip bg-page px-5 pt-[calc(env(safe-area-inset-top)+0.75rem)]"
    >
      <PlainIconButton label={t('common.back')} icon={<ArrowLeft className="rtl:-scale-x-100" />} />
      <div className="mx-auto w-full max-w-90 pt-[clamp(1rem,9dvh,6rem)]">
        <LogoIcon className="size-11" />
        <h1 className="mt-6 text-24 font-semibold tracking-tight text-balance">{t('auth.phoneTitle')}</h1>
        <div className="h-1.5" />
        <p className="mb-7 text-14 text-muted">{t('phoneForm:phoneLead')}</p>
        <TextField
          size="large"
          steady
          readOnly
          label={t('auth.phoneLabel')}
          hint={t('phoneForm:phoneHint')}
          value=""
          inputClassName="bg-raised!"
        />
        <Button size="large" wide className="mt-1">
          {t('auth.continue')}
        </Button>
      </div>
    </div>
  );
}

const render = (language: i18n, what: ReactNode): string =>
  renderToStaticMarkup(<I18nextProvider i18n={language}>{what}</I18nextProvider>);

/** Renders the landing page to plain markup at build time. */
export function renderLanding(): string {
  return render(createI18n(), <Landing loginHref="/api/login" />);
}

/** Renders the frames of the first screens in each language, as templates. The document shows at most one. */
export function renderSkeletonTemplates(): string {
  const [english, german] = [createI18n(), createI18n()];
  loadedTexts['de'] = { app: de, phoneForm: dePhoneForm, conversation: deConversation };
  void german.changeLanguage('de');
  return [english, german]
    .flatMap((one) => [
      `<template id="frame-${one.language}">${render(one, <AppSkeleton />)}</template>`,
      `<template id="conversation-${one.language}">${render(one, <ConversationBootSkeleton />)}</template>`,
      `<template id="phone-${one.language}">${render(one, <PhoneSignInSkeleton />)}</template>`,
    ])
    .join('');
}
