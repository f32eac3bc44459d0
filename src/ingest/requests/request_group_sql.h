// The SQL that adds up the requests of a Parquet file.
//
// It says what Chunk (request_parquet.cc) derives and refuses, and what SloJudge decides, row by
// row; a property test holds them together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ingest/requests/request_row.h"
#include "model/request_group.h"
#include "store/parquet_query.h"

namespace plimsoll {

// The requests of one SLO: all, or those of these services and models.
struct SloScope {
  Slo slo;
  std::vector<std::pair<std::string, std::string>> pairs;
};

class RequestGroupSql {
 public:
  // `fields`: as RequestFieldsSql gives them, with an arrival. `service`: of those that name none.
  RequestGroupSql(std::map<RequestField, std::string> fields, std::string service,
                  const RequestGrouping& grouping);

  // Columns service, model: every pair that the file has.
  ParquetQuery Pairs(const std::string& path) const;
  // Columns of RequestGroupBatch with the status and the error as they are told in place of
  // `status`, and a number that is 0 if any row of the group is not sound.
  ParquetQuery Groups(const std::string& path, const std::vector<SloScope>& scopes) const;
  // Begin and end; the service, the model and a number made of the id (0: none) follow if the
  // file has them and they are asked for.
  ParquetQuery Spans(const std::string& path) const;
  bool has_services() const { return fields_.contains(RequestField::kService); }
  bool has_models() const { return grouping_.span_model && fields_.contains(RequestField::kModel); }
  bool has_ids() const { return fields_.contains(RequestField::kRequest); }

 private:
  std::string Text(RequestField field) const;
  std::string Told() const;
  std::string Bucket(const std::string& tokens) const;
  std::string Inside() const;
  ParquetQuery Query(const std::string& path, const std::string& select) const;

  std::map<RequestField, std::string> fields_;
  std::string service_;
  const RequestGrouping& grouping_;
};

}  // namespace plimsoll
