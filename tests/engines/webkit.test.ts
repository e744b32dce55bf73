import { readOpenedStoresScript, type BrowserStores } from '../e2e/support/browserStores.ts';
import { befriend, createCastMember, type CastMember } from '../e2e/support/cast.ts';
import { emptyKeysScript, readSigningKeysScript, type SigningKeys } from '../e2e/support/keys.ts';
import { aPhotograph } from '../e2e/support/mediaFiles.ts';
import { startOwnGateway } from '../e2e/support/ownGateway.ts';
import { waitForExpectation } from '../e2e/support/waitFor.ts';
import { en, enCall, enMeeting, fillPlaceholders } from '../e2e/support/words.ts';
import { startFirstDevice, type SealedDevice } from '../support/clients/sealedDevices.ts';
import { describeInEngine } from './support/describeInEngine.ts';
import { openWebKit, webKitTimeoutMs, createStoryTest, type WebKitWindow } from './support/webkit.ts';

/** Drops a file on the text field, because WebKit's file chooser cannot be automated. */
const dropFile = `const [selector, name, type, base64] = arguments;
  const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name, { type }));
  const place = document.querySelector(selector);
  for (const event of ['dragenter', 'dragover', 'drop']) {
    place.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
  }`;

describeInEngine('WebKit', (program) => {
  // Has its own gateway, because a test stops it.
  const own = startOwnGateway();
  const { url } = own;
  let page: WebKitWindow;
  let ada: CastMember;
  let ben: CastMember;
  let bens: SealedDevice;
  let id: string;

  beforeAll(async () => {
    page = await openWebKit(program);
    [ada, ben] = await Promise.all([createCastMember(url(), 'Ada Adams'), createCastMember(url(), 'Ben Botha')]);
    id = await befriend(ada, ben);
    bens = await startFirstDevice(ben.user);
    await bens.chats.open(id);
  }, 420_000);
  afterAll(async () => {
    bens?.remove();
    await page?.close();
  });

  const story = createStoryTest(() => page);
  const composer = () => fillPlaceholders(en.conversation.composer, { name: ben.name });

  story('a person signs in by phone and writes, and the reply arrives', async () => {
    await page.go(url());
    await page.press('button', en.landing.getStartedWithPhone);
    await page.enter('input', en.auth.phoneLabel, ada.user.phone);
    const config = await fetch(`${url()}/api/config`, { signal: AbortSignal.timeout(5_000) });
    await page.enter('input', en.phoneForm.codeLabel, ((await config.json()) as { demoCode: string }).demoCode);
    await page.press('a, button', ben.name);
    await page.press('textarea', composer());
    await page.enter('textarea', composer(), 'Hello from WebKit');
    await page.see('article', 'Hello from WebKit');
    await bens.reads(id, ['Hello from WebKit']);
    await bens.send(id, 'Hello back');
    await page.see('article', 'Hello back');
  });

  story('a picture is scaled down, sent and shown', async () => {
    const { name, mimeType, buffer } = await aPhotograph('Saddle.jpg', '#1db584');
    await page.run(dropFile, 'textarea', name, mimeType, buffer.toString('base64'));
    await page.press('button', fillPlaceholders(en.conversation.sendFiles_one, { count: 1 }));
    await waitForExpectation(() =>
      expect(bens.messages(id).some(({ messageType }) => messageType === 'image')).toBe(true),
    );
    await waitForExpectation(async () => {
      const widths = await page.run<number[]>(
        `return [...document.querySelectorAll('article img')].map(({ naturalWidth }) => naturalWidth)`,
      );
      expect(Math.max(...widths)).toBeGreaterThan(100);
    }, webKitTimeoutMs);
  });

  story('a browser without WebRTC shows nothing unusable, and the pre-join page of a meeting explains it', async () => {
    // Debian builds WebKit without WebRTC; elsewhere the pre-join page opens.
    const missing = await page.run<boolean>(`return !('RTCPeerConnection' in window)`);
    const buttons = await page.run<string[]>(
      `return [...document.querySelectorAll('button')].map((button) => button.getAttribute('aria-label') ?? '')`,
    );
    expect(buttons.includes(fillPlaceholders(enCall.videoWith, { name: ben.name }))).toBe(!missing);
    await page.go(`${url()}/meeting/ZZZZZ2`);
    await page.see('h1, h2', missing ? enMeeting.cannot.title : enMeeting.over.not_found.title);
    await page.go(`${url()}/chat/${id}`);
  });

  story(
    'keys are created and survive a reload, and recovery words bring them back after the storage was emptied',
    async () => {
      const words = en.keys;
      await page.go(`${url()}/settings/devices`);
      await page.see('button', words.add.open);
      const { hasEngine, found } = await page.run<SigningKeys>(`return await ${readSigningKeysScript}`);
      expect(found).toEqual(hasEngine ? ['handle'] : []);
      await page.reload();
      await page.see('button', words.add.open);

      await page.press('button', words.recovery.setUp);
      await page.press('[data-dialog] button', words.recovery.next);
      await page.press('[data-dialog] button', words.recovery.show);
      const written = await page.run<string[]>(
        `return [...document.querySelectorAll('[data-word]')].map(({ textContent }) => textContent)`,
      );
      await page.press('[data-dialog] button', words.recovery.next);
      await page.see('[data-dialog] input');
      const labels = await page.run<string[]>(
        `return [...document.querySelectorAll('[data-dialog] input')].map(({ labels }) => labels[0].textContent)`,
      );
      for (const label of labels) {
        await page.enter('[data-dialog] input', label, written[Number(/\d+/.exec(label)?.[0]) - 1] ?? '');
      }
      await page.press('[data-dialog] button', words.link.done);

      await page.run(`await ${emptyKeysScript}; return null`);
      await page.reload();
      await page.see('section', words.setUp.cardTitle);
      await page.press('button', words.setUp.open);
      await page.press('[data-dialog] button', words.setUp.words);
      await page.enter('[data-dialog] textarea', words.words.label, written.join(' '));
      await page.press('[data-dialog] button', words.words.restore);
      await page.see('button', words.add.open);
      await page.see('li', words.row.byRecovery.split('}}')[1]);
      await page.go(`${url()}/chat/${id}`);
    },
  );

  story('the app opens from the device without a server, and sends once what was written', async () => {
    await page.see('article', 'Hello back');
    await page.run('await navigator.serviceWorker.ready; return null');
    await page.reload();
    await page.see('article', 'Hello back');
    await waitForExpectation(async () => {
      // WebKit may not answer while the app opens its stores, and a script that waits blocks the driver.
      const { databases } = await page.run<BrowserStores>(
        // Sleeps: limits the script; the next attempt asks anew.
        `const late = new Promise((_, reject) => setTimeout(() => reject(new Error('The stores do not open.')), 10_000));
        return await Promise.race([${readOpenedStoresScript}, late]);`,
      );
      expect(JSON.stringify(Object.values(databases).map((stores) => stores['messages']))).toContain('Hello back');
      expect(await page.run<boolean>('return navigator.serviceWorker.controller !== null')).toBe(true);
    }, 2 * webKitTimeoutMs);

    const gateway = own.unit();
    await gateway.stop();
    await page.reload();
    await page.see('article', 'Hello back');
    await page.press('textarea', composer());
    await page.enter('textarea', composer(), 'Written meanwhile');
    await page.see('article', 'Written meanwhile');
    await gateway.start();
    await waitForExpectation(() =>
      expect(bens.messages(id).filter(({ content }) => content === 'Written meanwhile')).toHaveLength(1),
    );
  });
});
