import { ownUrl } from '@/lib/server/address';
import { ownerRoute } from '@/lib/server/http';
import { openApiDocument } from '@/lib/server/openapi';

export { notAllowed as DELETE, notAllowed as PATCH, notAllowed as POST, notAllowed as PUT } from '@/lib/server/http';

/** The OpenAPI document of this API. */
export const GET = ownerRoute(() => Response.json(openApiDocument(ownUrl())));
