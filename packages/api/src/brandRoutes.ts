import { brandColorPattern, isBrandName } from '@nolo/rules';
import * as z from 'zod/mini';
import { pictureErrorCodes } from './fileRoutes.ts';
import * as m from './meetingSchemas.ts';
import { idParams } from './parameters.ts';
import { defineRoute } from './route.ts';

const tagged = { access: 'session', tag: 'meetings' } as const;

/** Rooms with a custom name, color and logo (Business). */
export const brandRoutes = {
  getBrand: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/brand',
    summary: 'Get the brand of your meetings; in a team, the brand of the team',
    reply: m.ownBrand,
  }),
  setBrand: defineRoute({
    ...tagged,
    method: 'PUT',
    path: '/api/brand',
    summary:
      'Set the brand of your meetings, or of your team: `logoURL` is an upload with the purpose `brand_logo`, null removes the logo, and without it the logo stays. Text in the colour itself may not be readable; clients derive the colours that they show',
    body: z.object({
      name: z.string().check(z.maxLength(200), z.refine(isBrandName)),
      color: z.string().check(z.regex(brandColorPattern), z.maxLength(7)),
      logoURL: z.optional(z.nullable(z.string().check(z.maxLength(2_048)))),
    }),
    example: { name: 'Harbour Dental', color: '#0a6e5c' },
    reply: m.ownBrand,
    limit: 'brandChangesPerUser',
    errors: ['brand_invalid', 'plan_limit', 'not_brand_owner', 'upload_not_found', ...pictureErrorCodes],
  }),
  removeBrand: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/brand',
    status: 204,
    summary: 'Remove the brand and its logo, even without a plan that shows them',
    limit: 'brandChangesPerUser',
    errors: ['not_brand_owner'],
  }),
  readBrandLogo: defineRoute({
    access: 'public',
    tag: 'meetings',
    method: 'GET',
    path: '/api/brand/logos/{id}',
    summary:
      'Download the logo of a brand. It appears on the pre-join page of meetings, so anyone with its URL may see it, even without an account',
    params: idParams,
    errors: ['object_not_found', 'range_unsatisfiable'],
  }),
} as const;
