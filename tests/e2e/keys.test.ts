import { ConversationPage } from './pages/ConversationPage.ts';
import { ProviderSignInPage } from './pages/ProviderSignInPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { createCastMember, createFriends } from './support/cast.ts';
import { setUpJourney, getUrlWithoutServiceWorker } from './support/journey.ts';
import { deviceOpener, emptyKeys, findVerifiedMark, linkByNumbers, openNumber } from './support/keys.ts';
import { plugInAuthenticator } from './support/passkeys.ts';
import { waitUntilHidden, waitUntilVisible } from './support/waitFor.ts';
import { en, enPasskeys, fillPlaceholders } from './support/words.ts';

const journey = setUpJourney(getUrlWithoutServiceWorker);
const { story, url } = journey;
const openDevices = deviceOpener(journey);
const words = en.keys;

story(
  'a new account gets keys, its phone joins by numbers, and people verified on one device are on both',
  async () => {
    const { ada, ben, id } = await createFriends(url(), ['Hello', 'Hi']);
    const desktop = await openDevices(ada);
    await desktop.devices.waitForKeys();
    await waitUntilVisible(desktop.devices.firstRow);
    const bens = await openDevices(ben);
    await bens.devices.waitForKeys();

    const phone = await openDevices(ada, 'phone');
    await linkByNumbers(desktop.devices, phone.devices);
    await waitUntilVisible(desktop.devices.addedRows, phone.devices.addedRows);

    // Both people see one number. The mark then appears on both of Ada's devices.
    await Promise.all([desktop.go(`/chat/${id}`), bens.go(`/chat/${id}`), phone.go(`/chat/${id}`)]);
    const conversation = new ConversationPage(desktop.page, ben.name);
    await desktop.page.getByRole('button', { name: en.conversation.info }).click();
    await bens.page.getByRole('button', { name: en.conversation.info }).click();
    const number = await openNumber(desktop.page, ben.name);
    expect(number).toMatch(/^\d{60}$/);
    expect(await openNumber(bens.page, ada.name)).toBe(number);
    await desktop.page.getByRole('button', { name: words.verify.mark }).click();
    await new Toasts(desktop.page).expectShown(fillPlaceholders(words.verify.marked, { name: ben.name }));
    await waitUntilVisible(conversation.message('Hello'), findVerifiedMark(desktop.page), findVerifiedMark(phone.page));
    await waitUntilHidden(findVerifiedMark(bens.page));

    // The first device removes the phone, which is signed out.
    await desktop.go('/settings/devices');
    await desktop.devices.addedRows.getByRole('button').click();
    await desktop.devices.dialog.getByRole('button', { name: words.removeDevice.confirm }).click();
    await new Toasts(desktop.page).expectShown(words.removeDevice.done);
    await waitUntilHidden(desktop.devices.addedRows);
    await waitUntilVisible(new ProviderSignInPage(phone.page).heading);
  },
);

story(
  'a browser joins by a code without a camera, and recovery words bring it back after it lost its keys',
  async () => {
    const ada = await createCastMember(url(), 'Ada Adams');
    const desktop = await openDevices(ada);
    await desktop.devices.waitForKeys();
    const other = await openDevices(ada);
    await other.devices.beginSetUp('code');
    await other.page.evaluate('navigator.clipboard.writeText = async (text) => void (globalThis.copied = text)');
    await other.devices.dialog.getByRole('button', { name: words.link.copyCode }).click();
    await desktop.devices.button(words.add.open).click();
    await desktop.devices.button(words.add.scan).click();
    await desktop.devices.button(words.scan.paste).click();
    await desktop.devices.dialog.getByRole('textbox').fill(await other.page.evaluate<string>('globalThis.copied'));
    await desktop.devices.button(words.add.use).click();
    await desktop.devices.button(words.link.confirmAdd).click();
    await desktop.devices.finishLink();
    await other.devices.finishLink();
    await waitUntilVisible(other.devices.addedRows, desktop.devices.addedRows);

    const written = await desktop.devices.setRecoveryWords();
    expect(new Set(written).size).toBeGreaterThan(12);
    await waitUntilVisible(
      other.page.getByText(words.notice.recovery_set).or(other.page.getByText(words.recovery.set)),
    );

    // The browser lost its keys. It is whole again within a minute.
    await emptyKeys(desktop.page);
    await desktop.page.reload();
    const begun = Date.now();
    await desktop.devices.beginSetUp('words');
    const field = desktop.devices.dialog.getByRole('textbox');
    await field.fill([...written.slice(1), written[0]].join(' '));
    await desktop.devices.button(words.words.restore).click();
    await waitUntilVisible(desktop.devices.dialog.getByText(words.words.wrong));
    await field.fill(written.join(' '));
    await desktop.devices.button(words.words.restore).click();
    await new Toasts(desktop.page).expectShown(words.words.restored);
    await desktop.devices.waitForKeys();
    expect(Date.now() - begun).toBeLessThan(60_000);
    await waitUntilVisible(desktop.devices.restoredRow, other.devices.restoredRow);
    await waitUntilHidden(desktop.devices.firstRow);
  },
);

story('a passkey brings a browser back after it lost its keys', async () => {
  const ada = await createCastMember(url(), 'Ada Adams');
  const { page, context, devices, go } = await openDevices(ada);
  await plugInAuthenticator(context, page);
  await go('/settings/account');
  await page.getByRole('button', { name: en.profile.addPasskey }).click();
  const form = page.getByRole('dialog', { name: enPasskeys.add });
  await form.getByLabel(enPasskeys.name).fill('Laptop');
  await form.getByRole('button', { name: enPasskeys.create }).click();
  await new Toasts(page).expectShown(enPasskeys.added, enPasskeys.addedText);

  await go('/settings/devices');
  await devices.waitForKeys();
  const written = await devices.setRecoveryWords();
  await devices.button(fillPlaceholders(words.passkey.addNamed, { name: 'Laptop' })).click();
  await devices.dialog.getByRole('textbox').fill(written.join(' '));
  await devices.dialog.getByRole('button', { name: words.recovery.next }).click();
  await new Toasts(page).expectShown(words.passkey.added);

  await emptyKeys(page);
  await page.reload();
  await devices.beginSetUp('passkey');
  await new Toasts(page).expectShown(words.words.restored);
  await devices.waitForKeys();
  await waitUntilVisible(devices.restoredRow);
});
