/** Contents of status updates. A file of its own, because the first screens show none. */
export { statusContentFields, toStatusContent, toStatusEnvelopeFields } from '@nolo/rules';
