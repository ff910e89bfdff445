package main

// The types of the scenarios. Dates stay text, as in the data. Lists have names, so that generators of code see them.

type (
	Persons  []Person
	Orders   []Order
	Rows     []Row
	Integers []int64
	Floats   []float64
	Texts    []string
	Matrix   [][]float64
)

type Person struct {
	ID             int64    `json:"id" msgpack:"id"`
	Name           string   `json:"name" msgpack:"name"`
	Married        bool     `json:"married" msgpack:"married"`
	FavoriteColors []string `json:"favoriteColors" msgpack:"favoriteColors"`
	Mother         *Person  `json:"mother" msgpack:"mother"`
}

type Address struct {
	Street    string  `json:"street" msgpack:"street"`
	City      string  `json:"city" msgpack:"city"`
	Zip       string  `json:"zip" msgpack:"zip"`
	Country   string  `json:"country" msgpack:"country"`
	Latitude  float64 `json:"latitude" msgpack:"latitude"`
	Longitude float64 `json:"longitude" msgpack:"longitude"`
}

type Customer struct {
	ID         int64    `json:"id" msgpack:"id"`
	Name       string   `json:"name" msgpack:"name"`
	Email      string   `json:"email" msgpack:"email"`
	Phone      *string  `json:"phone" msgpack:"phone"`
	Registered string   `json:"registered" msgpack:"registered"`
	Billing    Address  `json:"billing" msgpack:"billing"`
	Shipping   *Address `json:"shipping" msgpack:"shipping"`
}

type Line struct {
	SKU      string  `json:"sku" msgpack:"sku"`
	Title    string  `json:"title" msgpack:"title"`
	Quantity int64   `json:"quantity" msgpack:"quantity"`
	Price    string  `json:"price" msgpack:"price"`
	Discount float64 `json:"discount" msgpack:"discount"`
}

type Order struct {
	ID         int64             `json:"id" msgpack:"id"`
	Number     string            `json:"number" msgpack:"number"`
	Status     string            `json:"status" msgpack:"status"`
	Created    string            `json:"created" msgpack:"created"`
	Paid       *string           `json:"paid" msgpack:"paid"`
	Customer   Customer          `json:"customer" msgpack:"customer"`
	Lines      []Line            `json:"lines" msgpack:"lines"`
	Currency   string            `json:"currency" msgpack:"currency"`
	Total      string            `json:"total" msgpack:"total"`
	Weight     float64           `json:"weight" msgpack:"weight"`
	Tags       []string          `json:"tags" msgpack:"tags"`
	Attributes map[string]string `json:"attributes" msgpack:"attributes"`
	Note       *string           `json:"note" msgpack:"note"`
}

type Position struct {
	Latitude  float64 `json:"latitude" msgpack:"latitude"`
	Longitude float64 `json:"longitude" msgpack:"longitude"`
}

type Row struct {
	ID       int64    `json:"id" msgpack:"id"`
	UUID     string   `json:"uuid" msgpack:"uuid"`
	Name     string   `json:"name" msgpack:"name"`
	Email    string   `json:"email" msgpack:"email"`
	Active   bool     `json:"active" msgpack:"active"`
	Score    float64  `json:"score" msgpack:"score"`
	Visits   int64    `json:"visits" msgpack:"visits"`
	Balance  int64    `json:"balance" msgpack:"balance"`
	Manager  *int64   `json:"manager" msgpack:"manager"`
	Tags     []string `json:"tags" msgpack:"tags"`
	Position Position `json:"position" msgpack:"position"`
	Text     string   `json:"text" msgpack:"text"`
}
