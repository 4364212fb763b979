/** What tags are told about an enquiry: the same for every one. */
export interface ConversionValue {
  value: number;
  currency: string;
}

export interface TrackingValues {
  conversion: ConversionValue;
  lead: { content_name: string; content_category: string };
}
