// Validates documents by ajv. Standard input: {"draft": 7 or 4, "schema": …, "documents": […]};
// standard output: for each document null where it is valid, else the first thing wrong.
"use strict";
const { draft, schema, documents } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const Ajv = draft === 4 ? require("ajv-draft-04") : require("ajv");
const ajv = new Ajv({ strict: false, unicodeRegExp: draft !== 4 });
require("ajv-formats")(ajv);
const validate = ajv.compile(schema);
const answers = documents.map((document) =>
  validate(document) ? null : `${validate.errors[0].instancePath || "/"} ${validate.errors[0].message}`);
process.stdout.write(JSON.stringify(answers));
