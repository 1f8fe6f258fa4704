// The variables of MaxMind's databases: country, city and network of a client. Only where the module and the files are
// there; nothing is ever downloaded. Source: ingress-nginx 1.15 template, geoip2 blocks.

import { block, type ConfigNode, directive, literal } from '../config/node.ts'
import type { ControllerOptions } from '../snapshot/controller-options.ts'
import type { Settings } from './registry.ts'

/** What stands behind a variable: where it is in a record, and what it is where no record is found. */
type Lookup = readonly [variable: string, path: string, fallback?: string]

const country: readonly Lookup[] = [
  ['geoip2_country_code', 'country iso_code'],
  ['geoip2_country_name', 'country names en'],
  ['geoip2_country_geoname_id', 'country geoname_id'],
  ['geoip2_continent_code', 'continent code'],
  ['geoip2_continent_name', 'continent names en'],
  ['geoip2_continent_geoname_id', 'continent geoname_id'],
]

const city: readonly Lookup[] = [
  ['geoip2_city_country_code', 'country iso_code'],
  ['geoip2_city_country_name', 'country names en'],
  ['geoip2_city_country_geoname_id', 'country geoname_id'],
  ['geoip2_city', 'city names en'],
  ['geoip2_city_geoname_id', 'city geoname_id'],
  ['geoip2_postal_code', 'postal code'],
  ['geoip2_dma_code', 'location metro_code'],
  ['geoip2_latitude', 'location latitude'],
  ['geoip2_longitude', 'location longitude'],
  ['geoip2_time_zone', 'location time_zone'],
  ['geoip2_region_code', 'subdivisions 0 iso_code'],
  ['geoip2_region_name', 'subdivisions 0 names en'],
  ['geoip2_region_geoname_id', 'subdivisions 0 geoname_id'],
  ['geoip2_subregion_code', 'subdivisions 1 iso_code'],
  ['geoip2_subregion_name', 'subdivisions 1 names en'],
  ['geoip2_subregion_geoname_id', 'subdivisions 1 geoname_id'],
  ['geoip2_city_continent_code', 'continent code'],
  ['geoip2_city_continent_name', 'continent names en'],
]

const network: readonly Lookup[] = [
  ['geoip2_asn', 'autonomous_system_number'],
  ['geoip2_org', 'autonomous_system_organization'],
]

/** Variables of each edition that MaxMind gives a name. */
const editions: { readonly [edition: string]: readonly Lookup[] } = {
  'GeoLite2-Country': country,
  'GeoIP2-Country': country,
  'GeoLite2-City': city,
  'GeoIP2-City': city,
  'GeoLite2-ASN': network,
  'GeoIP2-ASN': network,
  'GeoIP2-ISP': [
    ['geoip2_isp', 'isp'],
    ['geoip2_isp_org', 'organization'],
    ['geoip2_asn', 'autonomous_system_number', '0'],
  ],
  'GeoIP2-Connection-Type': [['geoip2_connection_type', 'connection_type']],
  'GeoIP2-Anonymous-IP': [
    ['geoip2_is_anon', 'is_anonymous'],
    ['geoip2_is_anonymous', 'is_anonymous', '0'],
    ['geoip2_is_anonymous_vpn', 'is_anonymous_vpn', '0'],
    ['geoip2_is_hosting_provider', 'is_hosting_provider', '0'],
    ['geoip2_is_public_proxy', 'is_public_proxy', '0'],
    ['geoip2_is_tor_exit_node', 'is_tor_exit_node', '0'],
  ],
}

/** Whether clients are looked up. */
export function usesGeoip2(settings: Settings, options: Pick<ControllerOptions, 'modules'>): boolean {
  return settings['use-geoip2'] && options.modules.geoip2 !== undefined
}

/** Variables that nginx knows because of it, without `$`. */
export function geoip2Variables(
  settings: Settings,
  options: Pick<ControllerOptions, 'modules'>,
): ReadonlySet<string> | undefined {
  if (!usesGeoip2(settings, options)) return undefined
  const databases = options.modules.geoip2 ?? []
  return new Set(databases.flatMap((path) => lookupsOf(path).map(([variable]) => variable)))
}

/** A block for each database. */
export function renderGeoip2(settings: Settings, options: Pick<ControllerOptions, 'modules'>): readonly ConfigNode[] {
  if (!usesGeoip2(settings, options)) return []
  const minutes = settings['geoip2-autoreload-in-minutes']
  const reload = minutes > 0 ? [directive('auto_reload', `${minutes}m`)] : []
  return (options.modules.geoip2 ?? []).flatMap((path) => {
    const lines = lookupsOf(path).map(([variable, where, fallback]) =>
      directive(
        `$${variable}`,
        'source=$remote_addr',
        ...(fallback === undefined ? [] : [`default=${fallback}`]),
        ...where.split(' '),
      ),
    )
    return lines.length === 0 ? [] : [block('geoip2', [literal(path)], [...reload, ...lines])]
  })
}

function lookupsOf(path: string): readonly Lookup[] {
  const edition = /([^/]+)\.mmdb$/.exec(path)?.[1] ?? ''
  return (Object.hasOwn(editions, edition) ? editions[edition] : undefined) ?? []
}
