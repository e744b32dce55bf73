import { installStore } from './shell/install.ts';

/** Chromium's event, which the standard type library lacks. */
interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<void>;
  readonly userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
}

/** Stores the browser's install prompt for the Install buttons. It can be shown once. */
export function captureInstallOffer(page: Window): void {
  page.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    const offered = event as BeforeInstallPromptEvent;
    installStore.getState().setOffer({
      async prompt() {
        installStore.getState().setOffer(null);
        await offered.prompt();
        return (await offered.userChoice).outcome === 'accepted';
      },
    });
  });
  page.addEventListener('appinstalled', () => installStore.getState().setOffer(null));
}
